import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import type { Codec } from '@prosa/kernel/event-store/codec'
import { beginning, type EventStore, type Position, type RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import { patient } from '@prosa/kernel/postgres/patient'
import { transaction } from '@prosa/kernel/postgres/pool'
import { allCheckpoints, rebuildOf, removeCheckpoint, saveCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import type { Pool, PoolClient } from 'pg'
import { copyRows } from './copy-rows.ts'
import { measureOf, type ProjectionFigure } from './figures.ts'
import { foldInto } from './fold-batch.ts'
import { persevere, type Write } from './persevere.ts'
import { concerns, type Projection } from './projection.ts'
import {
  createRebuildSchema,
  dropTable,
  endFilling,
  holdCheckpoint,
  insideRebuildSchema,
  isCrowded,
  isMarkedComplete,
  lockPreparation,
  markComplete,
  markFilling,
  rebuildSchema,
  replaceTable,
  standingRebuild,
  waitBriefly,
} from './queries.ts'
import { RestingRows } from './resting-rows.ts'
import { addKey, createBareTable, deleteRows } from './table.ts'
import { Overtaken, writeBatch } from './write-batch.ts'

export interface RebuildDeps {
  store: EventStore
  codec: Codec
  pool: Pool
  log: Logger
  /** Above so many rows the fold leaves memory; what node's heap has room for unless said, about 4 KB a row. */
  rowsInMemory?: number
}

const bytesPerRow = 4096
/** A row that so many events did not touch is likely to stay as it is. */
const eventsToRest = 2000
/** So many events behind the log's end is near enough: what follows the log takes them in one go. */
const nearEnough = 2000
const longPage = 5000
const totalsEveryMilliseconds = 500
const lockPauseMilliseconds = 100

/** An event or the end of the process stopped a rebuild: nothing of it was kept. */
class Stopped extends Error {
  override name = 'Stopped'
}

/** The same read model under the name of its rebuild: another table, another checkpoint. */
const shadowOf = <Row extends object>(projection: Projection<Row>): Projection<Row> => ({
  ...projection,
  name: rebuildOf(projection.name),
  table: { ...projection.table, name: `${rebuildSchema}.${projection.table.name}` },
})

/**
 * Builds a read model from the beginning of the log beside the table that readers see, and then, in one short transaction,
 * puts it in its place with its checkpoint. Only for the runner, which holds the projection's lock. Cut off anywhere, the next
 * call goes on from the last complete step, or begins again; readers see the old table until the very end. False when an event
 * stopped it (see `persevere`) or the signal aborted.
 */
export const rebuild = async <Row extends object>(
  projection: Projection<Row>,
  deps: RebuildDeps,
  figure: ProjectionFigure,
  until: AbortSignal,
): Promise<boolean> => {
  const { store, codec, pool, log } = deps
  const { name, version, categories } = projection
  const rowsInMemory = deps.rowsInMemory ?? Math.floor(getHeapStatistics().heap_size_limit / bytesPerRow)
  const shadow = shadowOf(projection)
  const troubleshooting = { name, log, figure, until }
  const began = performance.now()
  let { position: reached, isComplete } = await beginRebuild(pool, projection)
  let written = reached
  let events = 0

  const follow = progressOf(pool, figure)
  const show = () => follow(reached)

  /** Hands the log from where the rebuild stands to its end, as it is now, to `write`; the number of events, or undefined. */
  const readOn = async (
    write: Write,
    pageSize: number,
    isEnough: () => boolean | Promise<boolean>,
  ): Promise<number | undefined> => {
    const advance = persevere(write, troubleshooting)
    let count = 0
    for await (const page of inPagesOf(pageSize, store.readAll(reached, { categories }), projection)) {
      if (!(await advance(page.events, page.upTo))) return undefined
      reached = page.upTo
      count += page.events.length
      events += page.events.length
      await show()
      if ((await isEnough()) || until.aborted) break
    }
    return until.aborted ? undefined : count
  }

  /** Rows at rest are written while the log is still being read; the others once it has been. False when something stopped it. */
  const fillFromMemory = async (): Promise<boolean> => {
    const rows = new RestingRows<Row>()
    let folded = beginning
    let restedAt = 0
    const fill = async (db: PoolClient): Promise<void> => {
      await markFilling(db, name)
      await hold(db, shadow, beginning)
      const groups = new PassThrough({ objectMode: true, highWaterMark: 2 })
      // Whoever waits for the copy hears why it ended; a stream that nobody reads yet would end the process.
      groups.on('error', () => undefined)
      const copying = copyRows(db, shadow.table, groups)
      const hand = async (group: Row[]) => {
        if (group.length > 0 && !groups.write(group)) await Promise.race([once(groups, 'drain'), copying])
      }
      // Whoever waits for it hears of its failure; until then nobody does.
      copying.catch(() => undefined)
      const fold: Write = async (page) => {
        for (const event of await codec.decode(page)) {
          // After a failure the events before the one at fault come once more.
          if (event.position <= folded) continue
          foldInto(projection, rows, event)
          folded = event.position
        }
      }
      const handOut = async () => {
        if (events >= restedAt + eventsToRest) {
          restedAt = events
          await hand(rows.rest())
        }
        return rows.size > rowsInMemory
      }
      const read = await readOn(fold, 1, handOut).catch((error: unknown) => {
        groups.destroy()
        throw error
      })
      if (read === undefined) groups.destroy(new Stopped('a rebuild was stopped'))
      else groups.end(rows.others())
      await copying
      const { keys, rows: corrected } = rows.corrections()
      await deleteRows(db, shadow.table, keys)
      await copyRows(db, shadow.table, [corrected])
      await addKey(db, shadow.table)
      await saveCheckpoint(db, shadow.name, version, reached)
    }
    try {
      await transaction(pool, fill)
    } catch (error) {
      if (error instanceof Stopped) return false
      throw error
    }
    written = reached
    return true
  }

  const write: Write = async (page, upTo) => {
    await writeBatch(pool, shadow, await codec.decode(page), written, upTo)
    written = upTo
  }
  const catchUp = () => readOn(write, longPage, () => false)

  log.info({ projection: name, version, position: reached }, 'rebuilding beside the version that is shown')
  await show()
  if (reached === beginning && !(await fillFromMemory())) return false
  if (!isComplete) {
    if ((await catchUp()) === undefined) return false
    await complete(pool, shadow, reached)
    isComplete = true
  }
  for (;;) {
    const count = await catchUp()
    if (count === undefined) return false
    if (count > nearEnough) continue
    if (await replace(pool, projection, shadow, reached)) break
    await delay(lockPauseMilliseconds, undefined, { signal: until }).catch(() => until.aborted)
  }
  figure.position = reached
  log.info({ projection: name, version, events, milliseconds: Math.round(performance.now() - began) }, 'rebuilt')
  return true
}

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
    await dropTable(db, table.name)
    await createBareTable(db, table)
    await saveCheckpoint(db, name, version, beginning)
    return { position: beginning, isComplete: false }
  })

/** Indexes and the like, and statistics, without which the first queries would be slow. */
const complete = <Row extends object>(pool: Pool, shadow: Projection<Row>, reached: Position) =>
  transaction(pool, async (db) => {
    await hold(db, shadow, reached)
    await insideRebuildSchema(db)
    for (const statement of shadow.table.after ?? []) await db.query(patient(statement))
    await markComplete(db, shadow.table.name)
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
  })

/** What concerns the projection, in pages of at least so many events, as far as there are. */
async function* inPagesOf<Row extends object>(
  size: number,
  batches: AsyncIterable<{ events: RecordedEvent[]; upTo: Position }>,
  projection: Projection<Row>,
): AsyncGenerator<{ events: RecordedEvent[]; upTo: Position }> {
  let events: RecordedEvent[] = []
  let end: Position | undefined
  for await (const batch of batches) {
    for (const event of batch.events) if (concerns(projection, event)) events.push(event)
    end = batch.upTo
    if (events.length < size) continue
    yield { events, upTo: end }
    events = []
    end = undefined
  }
  if (end !== undefined) yield { events, upTo: end }
}

/** Keeps the figure's progress: the end of the log is where the furthest of all consumers stands. */
const progressOf = (pool: Pool, figure: ProjectionFigure) => {
  let total = 0
  let askedAt = Number.NEGATIVE_INFINITY
  return async (reached: Position): Promise<void> => {
    if (performance.now() - askedAt > totalsEveryMilliseconds) {
      askedAt = performance.now()
      for (const { position } of await allCheckpoints(pool)) total = Math.max(total, measureOf(position))
    }
    const done = measureOf(reached)
    total = Math.max(total, done)
    figure.progress = { done, total }
  }
}
