import type { Pool } from 'pg'
import { type ConcurrencyLimit, concurrencyLimit } from '../../async/concurrency-limit.ts'
import { beginning } from '../../event-store/port.ts'
import { workInProgress } from '../../observability/work-in-progress.ts'
import { type BatchHandler, batches } from '../engine/batches.ts'
import { allCheckpoints, loadCheckpoint } from '../engine/checkpoints.ts'
import { type ConsumeDeps, consume, handledBy, type Session } from '../engine/consume.ts'
import {
  type ConsumerStatus,
  type ConsumerStatuses,
  measureOf,
  type RebuildProgress,
  statusOf,
} from '../engine/consumer-status.ts'
import { parkedWorkHandler } from '../engine/parked-work.ts'
import { persevere } from '../engine/persevere.ts'
import { liveWrites } from './live-writes.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import type { Projection } from './projection.ts'
import { shownVersion } from './queries.ts'
import { type RebuildDeps, rebuild } from './rebuild.ts'
import { type RebuildRequests, rebuildOnRequest } from './rebuild-on-request.ts'
import { findRebuildRequest } from './rebuild-queries.ts'
import { forgetRebuild } from './rebuild-steps.ts'
import { retryParked } from './retry-parked.ts'
import { tenantParking } from './tenant-parking.ts'
import { type WriteTogether, writeTogether } from './write-together.ts'

export interface ProjectionDeps extends RebuildDeps, ConsumeDeps {
  /** Shared by the projections of one process; without it this one writes alone. */
  together?: WriteTogether
  /** Without it nothing is built anew before its version is raised. */
  requests?: RebuildRequests
}

/** A reader who waits for a position that concerns another read model waits so much longer; in return nothing is written for it. */
const usualPassingMs = 25
/** A read model that was never filled and has more than this before it is filled as a rebuild is; in the log's own measure. */
const longWay = 10_000
/** A rebuild holds a connection while it fills its table, and takes another now and then: so few leave some of ten for the others. */
const maxRebuildsAtOnce = 4
/** Of the processes, by their pool. */
const rebuilding = new WeakMap<Pool, ConcurrencyLimit>()

const rebuildsOver = (pool: Pool): ConcurrencyLimit => {
  const known = rebuilding.get(pool) ?? concurrencyLimit({ atOnce: maxRebuildsAtOnce })
  rebuilding.set(pool, known)
  return known
}

/**
 * Keeps one read model up with the log from its checkpoint on, in one process at a time, until the signal aborts; what is
 * being written then is finished first. What another version built is first built anew beside it. An event that cannot be
 * folded parks its tenant: everything before the event is shown, what comes after it for the tenant waits in line, and the
 * others go on. See decision 0021.
 */
export const runProjection = <Row extends object>(
  projection: Projection<Row>,
  deps: ProjectionDeps,
  signal: AbortSignal,
  statuses: ConsumerStatuses,
): Promise<void> => {
  const { name, categories, on } = projection
  const status = statusOf(statuses, name)
  const together = deps.together ?? writeTogether(deps.pool)
  const open = (session: Session) => openReadModel(projection, { ...deps, together }, status, session)
  const consumer = { kind: 'projection', name, categories, concerns: handledBy(on), processes: 'one' } as const
  return consume(consumer, deps, batches(open), status, signal)
}

/** Undefined when it had to stop, or the session ended, before what is shown is of this version. */
const openReadModel = async <Row extends object>(
  projection: Projection<Row>,
  deps: ProjectionDeps & { together: WriteTogether },
  status: ConsumerStatus,
  session: Session,
): Promise<BatchHandler | undefined> => {
  const { epoch, until, end } = session
  const { store, codec, pool, log, clock, together, requests } = deps
  const { name, version, passingMs = usualPassingMs } = projection
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
    take: persevere(writes.write, writes.park, { name, log, status, until }),
    passing: { afterMs: passingMs },
    pass: (upTo) => writes.write([], upTo),
    async beside() {
      const retrying = retryParked({ pool, store, works, log, worker, parked, writes }, until).catch(end)
      if (requests) await rebuildOnRequest(projection, { ...deps, requests, status, writes }, session).catch(end)
      await retrying
    },
  }
}

/** False when it had to stop, or the signal aborted, before what is shown is of this version. */
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
  const isFarBehind = async () => (await allCheckpoints(pool)).some(({ position }) => measureOf(position) > longWay)
  if (shown?.version === version && !(shown.position === beginning && (await isFarBehind()))) {
    // What was built on request goes on from where it stands.
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
