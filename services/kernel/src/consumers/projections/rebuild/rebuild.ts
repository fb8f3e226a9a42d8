import { getHeapStatistics } from 'node:v8'
import type { Pool } from 'pg'
import { type ConcurrencyLimit, concurrencyLimit } from '../../../async/concurrency-limit.ts'
import { pause } from '../../../async/pause.ts'
import type { Clock } from '../../../clock.ts'
import type { Codec } from '../../../event-store/codec.ts'
import { beginning, type EventStore, type Position, type RecordedEvent } from '../../../event-store/port.ts'
import type { Logger } from '../../../observability/log.ts'
import { transaction } from '../../../postgres/pool.ts'
import { allCheckpoints } from '../../engine/checkpoints.ts'
import { handledBy } from '../../engine/consume.ts'
import { type ConsumerStatus, measureOf, type RebuildProgress } from '../../engine/consumer-status.ts'
import type { Epoch } from '../../engine/epochs.ts'
import { isFaultOfEvent, type OnFault, type Write } from '../../engine/in-halves.ts'
import { loggable } from '../../engine/loggable.ts'
import { writeWithRetry } from '../../engine/write-with-retry.ts'
import { logParked, tenantParking } from '../parking/tenant-parking.ts'
import type { Projection } from '../projection.ts'
import { markFilling, releasedPositions } from '../queries.ts'
import type { LiveWrites } from '../writing/live-writes.ts'
import { writeBatch } from '../writing/write-batch.ts'
import { fillFromMemory, type ReadOn, Stopped } from './fill-from-memory.ts'
import { reportProgress } from './rebuild-queries.ts'
import {
  beginRebuild,
  beginWithIndexes,
  completeRebuild,
  hold,
  replace,
  type Shadow,
  shadowOf,
  workerOf,
} from './rebuild-steps.ts'

export interface RebuildDeps {
  store: EventStore
  codec: Codec
  pool: Pool
  log: Logger
  clock: Clock
  /** In-memory limit, about 4 KB a row; default: room in the heap beside another rebuild. */
  rowsInMemory?: number
}

const bytesPerRow = 4096
/** Each fill holds a connection and needs more: many would exhaust the pool. */
const filledAtOnce = 2
const usualRows = () => Math.floor(getHeapStatistics().heap_size_limit / filledAtOnce / bytesPerRow)
const fillings = new WeakMap<Pool, ConcurrencyLimit>()
const fillingsOn = (pool: Pool): ConcurrencyLimit => {
  const known = fillings.get(pool) ?? concurrencyLimit({ atOnce: filledAtOnce })
  fillings.set(pool, known)
  return known
}

/** The live consumer takes the remaining events in one batch. */
const nearEnough = 2000
const longPage = 5000
const totalsEveryMs = 500
const lockPauseMs = 100

export interface Renewal {
  rebuildId: string
  exchange: LiveWrites['exchange']
  /** After the swap; nothing is written before it returns. */
  onDone: () => void
}

export interface RebuildRun {
  epoch: Epoch
  status: ConsumerStatus
  until: AbortSignal
  onProgress: (progress: RebuildProgress) => void
  renewal?: Renewal
}

/** The table beside the live one, with how far it is filled. */
const shadowBuilder = async <Row extends object>(
  projection: Projection<Row>,
  { store, codec, pool, log, clock, rowsInMemory = usualRows() }: RebuildDeps,
  { epoch, status, until, onProgress, renewal }: RebuildRun,
  shadow: Shadow<Row>,
) => {
  const { name, version, categories } = projection
  const begun = await beginRebuild(pool, shadow)
  let reached = begun.position
  let written = reached
  let events = 0
  const released = await releasedPositions(pool, epoch.worker)
  const rebuildId = renewal?.rebuildId
  const loadParked = () => tenantParking({ pool, clock, epoch, worker: workerOf(shadow), version, rebuildId, released })
  let parked = await loadParked()
  const follow = progressOf(pool, name, onProgress)

  const readOn: ReadOn = async (write, onFault, pageSize, isEnough) => {
    const advance = writeWithRetry(write, onFault, { name, log, status, until })
    let count = 0
    for await (const page of inPagesOf(pageSize, store.readAll(reached, { categories }), projection)) {
      if (!(await advance(page.events, page.upTo))) return undefined
      reached = page.upTo
      count += page.events.length
      events += page.events.length
      await follow(reached)
      if ((await isEnough(count)) || until.aborted) break
    }
    return until.aborted ? undefined : count
  }

  const write: Write = async (page, upTo) => {
    const { folding, alongside } = parked.divide(page.filter(({ position }) => position > written))
    await writeBatch(pool, shadow, await codec.decode(folding), written, upTo, alongside)
    written = upTo
  }
  const park: OnFault = async (event, error, upTo) => {
    const refusal = parked.refuse(event, error)
    await writeBatch(pool, shadow, [], written, upTo, refusal)
    if (refusal.failure) parked.add(refusal.tenant)
    written = upTo
    logParked(log, name, event, refusal)
    return true
  }

  return {
    reached: () => reached,
    isComplete: begun.isComplete,
    /** Read since the start of this attempt. */
    events: () => events,
    show: () => follow(reached),
    /** False when stopped. */
    async fill(): Promise<boolean> {
      try {
        await transaction(pool, async (db) => {
          await markFilling(db, name)
          await hold(db, shadow, beginning)
          const filling = { projection, shadow, codec, log, parked, rowsInMemory, readOn, reached: () => reached }
          await fillFromMemory(db, filling)
        })
      } catch (error) {
        if (error instanceof Stopped) return false
        throw error
      }
      written = reached
      return true
    },
    /** Events that were read; undefined when stopped. */
    catchUp: () => readOn(write, park, longPage, () => false),
    /** With the indexes first: row by row, the event that a row is refused for is found. */
    async beginAnew(): Promise<void> {
      await beginWithIndexes(pool, shadow)
      reached = beginning
      written = beginning
      parked = await loadParked()
    },
  }
}

/**
 * Builds beside the live table, then swaps table and checkpoint in a short transaction. Needs the projection's lock. Unfoldable events park
 * their tenant, unless released before. A crash resumes after the last complete step. False when stopped (see `writeWithRetry`) or aborted.
 */
export const rebuild = async <Row extends object>(
  projection: Projection<Row>,
  deps: RebuildDeps,
  run: RebuildRun,
): Promise<boolean> => {
  const { pool, log } = deps
  const { epoch, status, until, renewal } = run
  const { name, version } = projection
  const shadow = shadowOf(projection, { isRenewal: renewal !== undefined })
  const began = performance.now()
  const builder = await shadowBuilder(projection, deps, run, shadow)
  const { reached, catchUp } = builder

  /** False when stopped. */
  const fillAndComplete = async (): Promise<boolean> => {
    if (reached() === beginning && !(await builder.fill())) return false
    if (builder.isComplete) return true
    if ((await catchUp()) === undefined) return false
    await completeRebuild(pool, shadow, reached())
    return true
  }

  /** False when readers blocked it or it was stopped, with no effect. */
  const swapIn = (): Promise<boolean> => {
    if (!renewal) return replace(pool, shadow, reached())
    return renewal.exchange(async (position) => {
      if ((await catchUp()) === undefined) return false
      const isDone = await replace(pool, shadow, reached(), { epoch, position })
      if (isDone) renewal.onDone()
      return isDone
    })
  }

  log.info({ projection: name, version, position: reached() }, 'rebuilding beside the version that is shown')
  await builder.show()
  try {
    if (!(await fillingsOn(pool).run(async () => !until.aborted && (await fillAndComplete())))) return false
  } catch (error) {
    if (!isFaultOfEvent(error)) throw error
    // A row broke COPY or an index.
    log.warn({ projection: name, version, ...loggable(error) }, 'a row was refused: rebuilding in small steps')
    await builder.beginAnew()
  }
  for (;;) {
    const count = await catchUp()
    if (count === undefined) return false
    if (count > nearEnough) continue
    if (await swapIn()) break
    await pause(lockPauseMs, until)
  }
  status.position = reached()
  const ms = Math.round(performance.now() - began)
  log.info({ projection: name, version, events: builder.events(), ms }, 'rebuilt')
  return true
}

async function* inPagesOf<Row extends object>(
  size: number,
  batches: AsyncIterable<{ events: RecordedEvent[]; upTo: Position }>,
  projection: Projection<Row>,
): AsyncGenerator<{ events: RecordedEvent[]; upTo: Position }> {
  const concerns = handledBy(projection.on)
  let events: RecordedEvent[] = []
  let end: Position | undefined
  for await (const batch of batches) {
    for (const event of batch.events) if (concerns(event)) events.push(event)
    end = batch.upTo
    if (events.length < size) continue
    yield { events, upTo: end }
    events = []
    end = undefined
  }
  if (end !== undefined) yield { events, upTo: end }
}

/** `total` is the furthest checkpoint. */
const progressOf = (pool: Pool, name: string, onProgress: RebuildRun['onProgress']) => {
  let total = 0
  let askedAt = Number.NEGATIVE_INFINITY
  return async (reached: Position): Promise<void> => {
    const done = measureOf(reached)
    const isDue = performance.now() - askedAt > totalsEveryMs
    if (isDue) {
      askedAt = performance.now()
      for (const { position } of await allCheckpoints(pool)) total = Math.max(total, measureOf(position))
    }
    total = Math.max(total, done)
    onProgress({ done, total })
    if (isDue) await reportProgress(pool, name, { done, total })
  }
}
