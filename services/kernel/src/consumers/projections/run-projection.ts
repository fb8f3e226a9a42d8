import type { Pool } from 'pg'
import { type ConcurrencyLimit, concurrencyLimit } from '../../async/concurrency-limit.ts'
import { beginning, type EventStore } from '../../event-store/port.ts'
import { workInProgress } from '../../observability/work-in-progress.ts'
import { type BatchHandler, batches } from '../engine/batches.ts'
import { allCheckpoints, loadCheckpoint } from '../engine/checkpoints.ts'
import { type ConsumeDeps, consume, handledBy, type Session } from '../engine/consume.ts'
import {
  type ConsumerStatus,
  type ConsumerStatuses,
  type RebuildProgress,
  statusOf,
} from '../engine/consumer-status.ts'
import { parkedWorkHandler } from '../engine/parked-work.ts'
import { writeWithRetry } from '../engine/write-with-retry.ts'
import { retryParked } from './parking/retry-parked.ts'
import { tenantParking } from './parking/tenant-parking.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import type { Projection } from './projection.ts'
import { shownVersion } from './queries.ts'
import { type RebuildDeps, rebuild } from './rebuild/rebuild.ts'
import { type RebuildRequests, rebuildOnRequest } from './rebuild/rebuild-on-request.ts'
import { findRebuildRequest } from './rebuild/rebuild-queries.ts'
import { forgetRebuild } from './rebuild/rebuild-steps.ts'
import type { WantedPositions } from './wanted-positions.ts'
import { liveWrites } from './writing/live-writes.ts'
import { type WriteTogether, writeTogether } from './writing/write-together.ts'

export interface ProjectionDeps extends RebuildDeps, ConsumeDeps {
  together?: WriteTogether
  /** Without it only a higher version causes a rebuild. */
  requests?: RebuildRequests
  /** Without it the checkpoint moves over irrelevant events soon, as readers may wait for it. */
  wanted?: WantedPositions
}

/** Where readers cannot ask for a position. */
const usualPassingMs = 25
/** Above so many events of its categories an unfilled read model is filled like a rebuild. */
const longWay = 10_000
/** A rebuild holds one connection, at times two: leaves most of ten. */
const maxRebuildsAtOnce = 2
const rebuilding = new WeakMap<Pool, ConcurrencyLimit>()

const rebuildsOver = (pool: Pool): ConcurrencyLimit => {
  const known = rebuilding.get(pool) ?? concurrencyLimit({ atOnce: maxRebuildsAtOnce })
  rebuilding.set(pool, known)
  return known
}

/**
 * Shutdown finishes the current write. Rebuilds another version's rows first. An unfoldable event parks its tenant, whose later events
 * queue; others go on: decision 0021.
 */
export const runProjection = <Row extends object>(
  projection: Projection<Row>,
  deps: ProjectionDeps,
  signal: AbortSignal,
  statuses: ConsumerStatuses,
): Promise<void> => {
  const { name, version, categories, on } = projection
  const status = statusOf(statuses, name)
  const together = deps.together ?? writeTogether(deps.pool)
  const open = (session: Session) => openReadModel(projection, { ...deps, together }, status, session)
  const consumer = { kind: 'projection', name, version, categories, concerns: handledBy(on), processes: 'one' } as const
  return consume(consumer, deps, batches(open), status, signal)
}

/** Undefined when stopped or aborted first. */
const openReadModel = async <Row extends object>(
  projection: Projection<Row>,
  deps: ProjectionDeps & { together: WriteTogether },
  status: ConsumerStatus,
  session: Session,
): Promise<BatchHandler | undefined> => {
  const { epoch, until, end } = session
  const { store, codec, pool, log, clock, together, requests, wanted } = deps
  const { name, version } = projection
  const { worker } = epoch
  if (!(await bringToVersion(projection, deps, status, { epoch, until }))) return undefined
  const parked = await tenantParking({ pool, clock, epoch, worker, version })
  const from = await loadCheckpoint(pool, name, version)
  status.position = from
  const writes = liveWrites(projection, { codec, pool, together, log, status, parked }, from)
  const works = parkedWorkHandler({ store, codec, clock })
  return {
    from,
    reached: writes.reached,
    take: writeWithRetry(writes.write, writes.park, { name, log, status, until }),
    passing: { afterMs: wanted ? () => wanted.passingMs(name) : usualPassingMs },
    pass: (upTo) => writes.write([], upTo),
    onWanted: (listener) => wanted?.onWanted(name, listener, until),
    async beside() {
      const retrying = retryParked({ pool, store, works, log, worker, parked, writes }, until).catch(end)
      if (requests) await rebuildOnRequest(projection, { ...deps, requests, status, writes }, session).catch(end)
      await retrying
    },
  }
}

/** Events are counted: positions of an EventStoreDB are bytes. */
const hasMoreThan = async (
  count: number,
  store: EventStore,
  { categories }: { categories: readonly string[] },
  until: AbortSignal,
): Promise<boolean> => {
  let found = 0
  for await (const { events } of store.readAll(beginning, { categories })) {
    found += events.length
    if (found > count || until.aborted) break
  }
  return found > count
}

/** False when stopped or aborted first. */
const bringToVersion = async <Row extends object>(
  projection: Projection<Row>,
  deps: ProjectionDeps,
  status: ConsumerStatus,
  { epoch, until }: Pick<Session, 'epoch' | 'until'>,
): Promise<boolean> => {
  const { pool } = deps
  const { name, version } = projection
  await prepareReadModel(pool, projection)
  const shown = await shownVersion(pool, name)
  status.position = shown?.position
  const isUnfilled = shown?.position === beginning
  const isFarBehind = async () =>
    (await allCheckpoints(pool)).some(({ position }) => position > beginning) &&
    hasMoreThan(longWay, deps.store, projection, until)
  if (shown?.version === version && !(isUnfilled && (await isFarBehind()))) {
    if ((await findRebuildRequest(pool, name))?.request !== 'requested') await forgetRebuild(pool, projection)
    return true
  }
  status.state = 'rebuilding'
  const work = workInProgress.begin(`rebuild of ${name}`)
  try {
    const onProgress = (progress: RebuildProgress) => {
      status.progress = progress
    }
    const build = async () => !until.aborted && (await rebuild(projection, deps, { epoch, status, until, onProgress }))
    return await rebuildsOver(pool).run(build)
  } finally {
    workInProgress.end(work)
    delete status.progress
  }
}
