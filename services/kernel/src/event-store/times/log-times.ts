import type { Pool } from 'pg'
import { pause } from '../../async/pause.ts'
import type { Logger } from '../../observability/log.ts'
import { exclusively } from '../../postgres/exclusively.ts'
import { type Batch, beginning, type EventStore, type Filter, type Position, type RecordedEvent } from '../port.ts'
import { findIndexed, findLastStretch, findStretches, insertStretch } from './queries.ts'

/** UTC, ISO 8601. Either may be open. */
export interface TimeRange {
  /** Inclusive. */
  since?: string | undefined
  /** Exclusive. */
  until?: string | undefined
}

export interface Stretch {
  /** Exclusive. */
  after: Position
  /** Inclusive; undefined: the end of the log. */
  upTo: Position | undefined
}

/** From time to positions. Clocks of processes differ, so times do not follow the order of the log: a range is several stretches of it. */
export interface LogTimes {
  /**
   * In log order, without overlap: every event of the range lies in one of them, with few others: callers compare each event's time. The last
   * one, which the index has not reached, has no end.
   */
  stretches(range: TimeRange, after?: Position): AsyncIterable<Stretch>
  /** Highest position of an event that says it was recorded then or before; `beginning` if none does. */
  positionAt(time: string): Promise<Position>
  /** Events of a stretch. */
  within(stretch: Stretch, filter: Filter): AsyncIterable<Batch>
  /** Indexes up to the end of the log, but for a remainder shorter than a stretch. */
  extend(signal: AbortSignal): Promise<void>
}

const eventsOfStretch = 2000
const stretchesAtOnce = 1000

const timeOf = ({ metadata }: RecordedEvent): string | undefined => {
  const { recordedAt } = metadata ?? {}
  return typeof recordedAt === 'string' && !Number.isNaN(Date.parse(recordedAt)) ? recordedAt : undefined
}

interface Growing {
  after: Position
  count: number
  earliest: string | undefined
  latest: string | undefined
}

const begin = (after: Position): Growing => ({ after, count: 0, earliest: undefined, latest: undefined })

const add = (stretch: Growing, event: RecordedEvent) => {
  const time = timeOf(event)
  stretch.count++
  if (time === undefined) return
  if (stretch.earliest === undefined || time < stretch.earliest) stretch.earliest = time
  if (stretch.latest === undefined || time > stretch.latest) stretch.latest = time
}

async function* upToEnd(batches: AsyncIterable<Batch>, end: Position | undefined): AsyncIterable<Batch> {
  for await (const batch of batches) {
    if (end === undefined || batch.upTo < end) {
      yield batch
      continue
    }
    yield { ...batch, events: batch.events.filter(({ position }) => position <= end), upTo: end }
    return
  }
}

/** The index is in the database, whatever holds the log. */
export const logTimes = (
  { store, pool }: { store: Pick<EventStore, 'readAll' | 'readWhole'>; pool: Pool },
  { stretchEvents = eventsOfStretch } = {},
): LogTimes => ({
  async *stretches({ since, until }, after = beginning) {
    // First: what is indexed meanwhile is read twice otherwise.
    const indexed = (await findIndexed(pool)) ?? beginning
    let from = after
    while (true) {
      const found = await findStretches(pool, { since, until }, from, stretchesAtOnce)
      for (const stretch of found)
        if (stretch.after < indexed)
          yield {
            after: stretch.after < from ? from : stretch.after,
            upTo: stretch.upTo < indexed ? stretch.upTo : indexed,
          }
      const last = found.at(-1)
      if (found.length < stretchesAtOnce || !last) break
      from = last.upTo
    }
    yield { after: indexed < after ? after : indexed, upTo: undefined }
  },

  async positionAt(time) {
    const indexed = (await findIndexed(pool)) ?? beginning
    const last = async (batches: AsyncIterable<Batch>) => {
      let found: Position | undefined
      for await (const { events } of batches)
        for (const event of events) if ((timeOf(event) ?? '~') <= time) found = event.position
      return found
    }
    const behind = await last(store.readWhole(indexed))
    if (behind !== undefined) return behind
    const stretch = await findLastStretch(pool, time, indexed)
    if (stretch === undefined) return beginning
    return (await last(upToEnd(store.readWhole(stretch.after), stretch.upTo))) ?? stretch.after
  },

  within: ({ after, upTo }, filter) => upToEnd(store.readAll(after, filter), upTo),

  async extend(signal) {
    let stretch = begin((await findIndexed(pool)) ?? beginning)
    for await (const { events } of store.readWhole(stretch.after)) {
      for (const event of events) {
        add(stretch, event)
        if (stretch.count < stretchEvents) continue
        const { earliest = '-infinity', latest = earliest } = stretch
        await insertStretch(pool, { after: stretch.after, upTo: event.position, earliest, latest })
        stretch = begin(event.position)
      }
      if (signal.aborted) return
    }
  },
})

/** Readings read what is not indexed, so the index need not be up to date. */
const indexEveryMs = 60_000

/** In one process of all, until the signal aborts. */
export const keepLogTimes = (
  ports: { store: EventStore; pool: Pool; databaseUrl: string; log: Logger },
  signal: AbortSignal,
): Promise<void> => {
  const { databaseUrl, log } = ports
  const times = logTimes(ports)
  const work = async (until: AbortSignal) => {
    while (!until.aborted) {
      await times.extend(until)
      await pause(indexEveryMs, until)
    }
  }
  return exclusively(databaseUrl, 'log times', signal, work, {
    onTrouble: (error) => log.warn({ err: error }, 'index of times interrupted'),
  })
}
