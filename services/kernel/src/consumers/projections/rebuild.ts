import { getHeapStatistics } from 'node:v8'
import type { Pool, PoolClient } from 'pg'
import { pause } from '../../async/pause.ts'
import type { Clock } from '../../clock.ts'
import type { Codec } from '../../event-store/codec.ts'
import { beginning, type EventStore, type Position, type RecordedEvent } from '../../event-store/port.ts'
import type { Logger } from '../../observability/log.ts'
import { transaction } from '../../postgres/pool.ts'
import { withoutTimeout } from '../../postgres/without-timeout.ts'
import { allCheckpoints, holdCheckpoint, rebuildOf, removeCheckpoint, saveCheckpoint } from '../engine/checkpoints.ts'
import { handledBy } from '../engine/consume.ts'
import { type ConsumerStatus, measureOf } from '../engine/consumer-status.ts'
import { type Epoch, Overtaken } from '../engine/epochs.ts'
import { isFaultOfEvent, type OnFault, type Write } from '../engine/in-halves.ts'
import { loggable } from '../engine/loggable.ts'
import { persevere } from '../engine/persevere.ts'
import { fillFromMemory, type ReadOn, Stopped } from './fill-from-memory.ts'
import { projectionWorker } from './parked-tenants.ts'
import type { Projection } from './projection.ts'
import {
  createRebuildSchema,
  dropTable,
  endFilling,
  forgetParked,
  insideRebuildSchema,
  isCrowded,
  isMarkedComplete,
  lockPreparation,
  markComplete,
  markFilling,
  rebuildSchema,
  releasedPositions,
  replaceTable,
  standingRebuild,
  takeOverParked,
  waitBriefly,
} from './queries.ts'
import { addKey, createBareTable } from './table.ts'
import { logParked, tenantParking } from './tenant-parking.ts'
import { writeBatch } from './write-batch.ts'

export interface RebuildDeps {
  store: EventStore
  codec: Codec
  pool: Pool
  log: Logger
  clock: Clock
  /** Above so many rows the fold leaves memory; by default what node's heap has room for, about 4 KB a row. */
  rowsInMemory?: number
}

const bytesPerRow = 4096
/** So many events behind the log's end is near enough: what follows the log takes them in one go. */
const nearEnough = 2000
const longPage = 5000
const totalsEveryMilliseconds = 500
const lockPauseMilliseconds = 100

/** The same read model under the name of its rebuild: another table, another checkpoint. */
const shadowOf = <Row extends object>(projection: Projection<Row>): Projection<Row> => ({
  ...projection,
  name: rebuildOf(projection.name),
  table: { ...projection.table, name: `${rebuildSchema}.${projection.table.name}` },
})

/**
 * Builds a read model from the beginning of the log beside the table that readers see, and then, in one short transaction,
 * puts it in its place with its checkpoint. Only for the runner, which holds the projection's lock. An event that cannot be
 * folded parks its tenant, unless it was released before. Cut off anywhere, the next
 * call goes on from the last complete step, or begins again; readers see the old table until the very end. False when it stopped
 * (see `persevere`) or the signal aborted.
 */
export const rebuild = async <Row extends object>(
  projection: Projection<Row>,
  deps: RebuildDeps,
  epoch: Epoch,
  status: ConsumerStatus,
  until: AbortSignal,
): Promise<boolean> => {
  const { store, codec, pool, log, clock } = deps
  const { name, version, categories } = projection
  const rowsInMemory = deps.rowsInMemory ?? Math.floor(getHeapStatistics().heap_size_limit / bytesPerRow)
  const shadow = shadowOf(projection)
  const began = performance.now()
  let { position: reached, isComplete } = await beginRebuild(pool, projection)
  let written = reached
  let events = 0
  const released = await releasedPositions(pool, epoch.worker)
  const loadParked = () => tenantParking({ pool, clock, epoch, worker: workerOf(shadow), version, released })
  let parked = await loadParked()

  const follow = progressOf(pool, status)
  const show = () => follow(reached)

  const readOn: ReadOn = async (write, onFault, pageSize, isEnough) => {
    const advance = persevere(write, onFault, { name, log, status, until })
    let count = 0
    for await (const page of inPagesOf(pageSize, store.readAll(reached, { categories }), projection)) {
      if (!(await advance(page.events, page.upTo))) return undefined
      reached = page.upTo
      count += page.events.length
      events += page.events.length
      await show()
      if ((await isEnough(count)) || until.aborted) break
    }
    return until.aborted ? undefined : count
  }

  /** False when something stopped it. */
  const fill = async (): Promise<boolean> => {
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
  const catchUp = () => readOn(write, park, longPage, () => false)

  /** False when something stopped it. */
  const fillAndComplete = async (): Promise<boolean> => {
    if (reached === beginning && !(await fill())) return false
    if (isComplete) return true
    if ((await catchUp()) === undefined) return false
    await complete(pool, shadow, reached)
    return true
  }

  log.info({ projection: name, version, position: reached }, 'rebuilding beside the version that is shown')
  await show()
  try {
    if (!(await fillAndComplete())) return false
  } catch (error) {
    if (!isFaultOfEvent(error)) throw error
    // PostgreSQL refuses a row among thousands, or an index over it. With the indexes there first, and row by row, the event is found.
    log.warn({ projection: name, version, ...loggable(error) }, 'a row was refused: rebuilding in small steps')
    await beginWithIndexes(pool, shadow)
    reached = beginning
    written = beginning
    parked = await loadParked()
  }
  for (;;) {
    const count = await catchUp()
    if (count === undefined) return false
    if (count > nearEnough) continue
    if (await replace(pool, projection, shadow, reached)) break
    await pause(lockPauseMilliseconds, until)
  }
  status.position = reached
  log.info({ projection: name, version, events, milliseconds: Math.round(performance.now() - began) }, 'rebuilt')
  return true
}

const workerOf = ({ name }: { name: string }) => projectionWorker(name)

const hold = async <Row extends object>(db: PoolClient, { name, version }: Projection<Row>, expected: Position) => {
  if (!(await holdCheckpoint(db, name, version, expected))) throw new Overtaken(`${name} was moved by somebody else`)
}

/** Where the rebuild goes on: where one of this version stands, or else at the beginning, with an empty table. */
const beginRebuild = <Row extends object>(pool: Pool, projection: Projection<Row>) =>
  transaction(pool, async (db) => {
    const { name, version, table } = shadowOf(projection)
    await lockPreparation(db, projection.name)
    await endFilling(db, projection.name)
    await createRebuildSchema(db)
    const standing = await standingRebuild(db, name, table.name)
    if (standing?.version === version && standing.position !== beginning)
      return { position: standing.position, isComplete: await isMarkedComplete(db, table.name) }
    await beginBare(db, shadowOf(projection))
    return { position: beginning, isComplete: false }
  })

const beginBare = async <Row extends object>(db: PoolClient, shadow: Projection<Row>) => {
  const { name, version, table } = shadow
  await dropTable(db, table.name)
  await createBareTable(db, table)
  await forgetParked(db, workerOf(shadow), { alsoReleased: true })
  await saveCheckpoint(db, name, version, beginning)
}

/** Begins again with a table that has its key and indexes. */
const beginWithIndexes = <Row extends object>(pool: Pool, shadow: Projection<Row>) =>
  transaction(pool, async (db) => {
    await beginBare(db, shadow)
    await addKey(db, shadow.table)
    await addIndexes(db, shadow)
  })

const addIndexes = async <Row extends object>(db: PoolClient, { table }: Projection<Row>) => {
  await insideRebuildSchema(db)
  for (const statement of table.after ?? []) await db.query(withoutTimeout(statement))
  await markComplete(db, table.name)
}

/** Indexes and the like, and statistics, without which the first queries would be slow. */
const complete = <Row extends object>(pool: Pool, shadow: Projection<Row>, reached: Position) =>
  transaction(pool, async (db) => {
    await hold(db, shadow, reached)
    await addIndexes(db, shadow)
  })

/** False when readers were at the old table for too long: then nothing has happened. */
const replace = async <Row extends object>(
  pool: Pool,
  { name, version, table }: Projection<Row>,
  shadow: Projection<Row>,
  reached: Position,
): Promise<boolean> => {
  try {
    await transaction(pool, async (db) => {
      await lockPreparation(db, name)
      await hold(db, shadow, reached)
      await waitBriefly(db)
      await replaceTable(db, table.name)
      await removeCheckpoint(db, shadow.name)
      await takeOverParked(db, workerOf(shadow), projectionWorker(name))
      await saveCheckpoint(db, name, version, reached)
    })
    return true
  } catch (error) {
    if (isCrowded(error)) return false
    throw error
  }
}

/** Removes what a rebuild left that is not wanted any more, because the version that is shown is the right one. */
export const forgetRebuild = <Row extends object>(pool: Pool, projection: Projection<Row>): Promise<void> =>
  transaction(pool, async (db) => {
    const { name, table } = shadowOf(projection)
    await lockPreparation(db, projection.name)
    await removeCheckpoint(db, name)
    await dropTable(db, table.name)
    await forgetParked(db, projectionWorker(name), { alsoReleased: true })
  })

/** What concerns the projection, in pages of at least so many events, as far as there are. */
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

/** Keeps the status's progress: the end of the log is where the furthest of all consumers stands. */
const progressOf = (pool: Pool, status: ConsumerStatus) => {
  let total = 0
  let askedAt = Number.NEGATIVE_INFINITY
  return async (reached: Position): Promise<void> => {
    if (performance.now() - askedAt > totalsEveryMilliseconds) {
      askedAt = performance.now()
      for (const { position } of await allCheckpoints(pool)) total = Math.max(total, measureOf(position))
    }
    const done = measureOf(reached)
    total = Math.max(total, done)
    status.progress = { done, total }
  }
}
