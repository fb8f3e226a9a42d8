import pg from 'pg'
import { lruMap } from '../lru-map.ts'
import { isUnreachable } from '../postgres/is-unreachable.ts'
import { listen } from '../postgres/listen.ts'
import { preferIndexes } from '../postgres/pool.ts'
import { type AppendRequest, appendRequest } from './append-request.ts'
import { categoryOf } from './category.ts'
import { inPages } from './in-pages.ts'
import { placeOf, positionOf, requireWithin } from './place.ts'
import {
  type Batch,
  type EventStore,
  EventStoreUnavailable,
  type Filter,
  InvalidAppend,
  mostPageBytes,
  type RecordedEvent,
} from './port.ts'
import { appendBatcher } from './postgres/append-batcher.ts'
import { commitFigures } from './postgres/commit-figures.ts'
import { CopiedEvents } from './postgres/copied-events.ts'
import { isRefused } from './postgres/is-refused.ts'
import { logTail } from './postgres/log-tail.ts'
import {
  appendAll,
  type EventRow,
  migrate,
  readCategories,
  readHead,
  readStream,
  readStreamBack,
  readTail,
  recordedEvent,
  rowsOf,
} from './postgres/queries.ts'
import { channel } from './postgres/table.ts'
import { reachability } from './reachability.ts'

const pageSize = 2000
const backPageSize = 100
/** How much PostgreSQL is asked for at once: between two such questions it stands idle. */
const copyBytes = 4 * 1024 * 1024
const mostCopied = 8000
const firstCopied = 1000
/** How many of them are handed out at once: a few die young, and node collects less garbage. */
const batchSize = 500
/** Followers are a few events apart. What is held for longer is no longer young when it is thrown away, which costs node dearly. */
const mostParsed = 100
/** How many places one query looks through for categories that may be rare: bounds its time and moves checkpoints on. */
const scanSize = 100_000

const bytesOf = (rows: readonly EventRow[]): number =>
  rows.reduce((sum, [, , , , , data, metadata]) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata), 0)

export interface PostgresEventStoreOptions {
  /** `postgres://user:password@host:port/database`; the schema `es` is made there. */
  url: string
  /** Connections for reading. Appends take one more, listening another. */
  readers?: number
  /** How long an append or a read is repeated while the server cannot be reached, before `EventStoreUnavailable`. */
  patienceMilliseconds?: number
  /** How long the server may take to answer; after that the connection is given up. */
  answerMilliseconds?: number
  /** Hears of lost connections and of attempts that failed; they heal by themselves. */
  onTrouble?: (error: unknown) => void
}

/**
 * The log in PostgreSQL, from version 13 on. Any number of processes may append to one log and follow it. Needs direct
 * connections: a pooler in transaction mode cannot hand on LISTEN.
 */
export const postgresEventStore = async ({
  url,
  readers = 4,
  patienceMilliseconds = 10_000,
  answerMilliseconds = 30_000,
  onTrouble = () => undefined,
}: PostgresEventStoreOptions): Promise<EventStore> => {
  const connection = {
    connectionString: url,
    options: preferIndexes,
    application_name: 'prosa-event-store',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: answerMilliseconds,
    idleTimeoutMillis: 60_000,
  }
  const appender = new pg.Pool({ ...connection, max: 1 })
  const reader = new pg.Pool({ ...connection, max: readers })
  for (const pool of [appender, reader]) pool.on('error', onTrouble)

  const server = reachability({
    complaint: 'PostgreSQL cannot be reached',
    isUnreachable,
    patienceMilliseconds,
    onTrouble,
  })
  const closing = new AbortController()
  const closed = closing.signal
  const tail = logTail(
    { readHead: () => readHead(reader), readTail: (after, limit) => readTail(reader, after, limit) },
    closed,
    onTrouble,
  )
  let listening = false
  /** The newest of what the tail holds, parsed once for all who follow it closely. */
  const parsed = lruMap<EventRow, RecordedEvent>(mostParsed)
  const eventOf = (row: EventRow): RecordedEvent => {
    const known = parsed.get(row)
    if (known) return known
    const event = recordedEvent(row)
    parsed.set(row, event)
    return event
  }

  const commits = commitFigures()
  let isCommitting = false
  /** Up to where the log was announced to reach during an own commit: most likely by that commit itself. */
  let announced = 0
  const hear = (upTo: string | undefined) => {
    if (isCommitting && upTo) announced = Math.max(announced, Number(upTo))
    else tail.wake(upTo ? Number(upTo) : undefined)
  }
  const commit = async (requests: readonly AppendRequest[]) => {
    isCommitting = true
    try {
      const results = await server.persist(() => appendAll(appender, requests))
      commits.made(requests)
      const rows = rowsOf(requests, results)
      if (rows.length > 0) tail.committed(rows)
      // Stored by an earlier try whose answer was lost.
      else tail.wake()
      return results
    } catch (error) {
      commits.failed()
      tail.wake()
      throw isRefused(error) ? new InvalidAppend('PostgreSQL refused the append', { cause: error }) : error
    } finally {
      isCommitting = false
      tail.wake(announced)
    }
  }
  const batcher = appendBatcher(commit)

  /** The batches of some categories after one place up to another; with a signal they also end when it aborts. */
  async function* batches(after: number, upTo: number, { categories }: Filter, size: number, signal?: AbortSignal) {
    /** Of pages that were read. A question that failed keeps its own: what is still on its way to it may come later. */
    const spare: CopiedEvents[] = []
    let limit = firstCopied
    const pages = inPages(after, async (from) => {
      if (from >= upTo) return undefined
      const to = Math.min(upTo, from + scanSize)
      const asked = limit
      const query = () => readCategories(reader, from, to, categories, asked, spare.pop() ?? new CopiedEvents())
      const copied = await (signal ? server.outlast(query, signal) : server.persist(query))
      if (copied === undefined) return undefined
      const next = copied.length === asked ? copied.placeAt(asked - 1) : to
      if (copied.length > 0) limit = Math.ceil(Math.min(mostCopied, (copyBytes * copied.length) / copied.bytes))
      return { page: { copied, upTo: next }, next }
    })
    for await (const { copied, upTo } of pages) {
      let events: RecordedEvent[] = []
      for (let index = 0; index < copied.length; index++) {
        events.push(copied.at(index))
        if (events.length < size || index === copied.length - 1) continue
        yield { events, upTo: copied.placeAt(index) }
        events = []
      }
      copied.clear()
      spare.push(copied)
      yield { events, upTo }
    }
  }

  const requireOpen = () => {
    if (closed.aborted) throw new EventStoreUnavailable('the event store is closed')
  }

  try {
    await server.persist(() => migrate(appender))
  } catch (error) {
    await Promise.all([appender.end(), reader.end()])
    throw error
  }

  return {
    append: async (stream, expected, events) => {
      requireOpen()
      return batcher.append(appendRequest(stream, expected, events))
    },

    async *read(stream, { from = 0n, most = Number.POSITIVE_INFINITY } = {}) {
      requireOpen()
      yield* inPages({ revision: from, left: most }, async ({ revision, left }) => {
        const size = Math.min(pageSize, left)
        const rows = await server.persist(() => readStream(reader, stream, revision, size))
        if (rows.length === 0) return undefined
        const isLast = rows.length === left || (rows.length < size && bytesOf(rows) < mostPageBytes)
        const next = isLast ? undefined : { revision: revision + BigInt(rows.length), left: left - rows.length }
        return { page: rows.map(recordedEvent), next }
      })
    },

    async *readBack(stream) {
      requireOpen()
      yield* inPages<RecordedEvent[], bigint | null>(null, async (before) => {
        const rows = await server.persist(() => readStreamBack(reader, stream, before, backPageSize))
        const page = rows.map(recordedEvent)
        const oldest = page.at(-1)?.revision
        if (oldest === undefined) return undefined
        return { page, next: oldest === 0n ? undefined : oldest }
      })
    },

    async *readAll(after, filter) {
      requireOpen()
      const from = placeOf(after)
      const head = await server.persist(() => readHead(reader))
      requireWithin(from, head)
      for await (const { events, upTo } of batches(from, head, filter, batchSize))
        yield { events, upTo: positionOf(upTo), live: false }
    },

    async *subscribe(after, filter, aborted) {
      const signal = AbortSignal.any([aborted, closed])
      let place = placeOf(after)
      if (!listening) listen(url, channel, hear, closed)
      listening = true
      await tail.follow(signal)
      const head = await server.outlast(() => readHead(reader), signal)
      if (head === undefined) return
      requireWithin(place, head)

      const wanted = new Set(filter.categories)
      let live = false
      signal.addEventListener('abort', tail.lookUp)
      try {
        while (!signal.aborted) {
          const news = tail.after(place)
          if (news === undefined) {
            for await (const { events, upTo } of batches(place, tail.head(), filter, pageSize, signal)) {
              place = upTo
              yield { events, upTo: positionOf(place), live } satisfies Batch
              if (signal.aborted) return
            }
          } else if (news.length === 0 && (live || place < head)) {
            await tail.passed(place, wanted, signal)
          } else {
            const page = news.slice(0, pageSize)
            place += page.length
            live ||= place >= head
            const events = page.filter(([, stream]) => wanted.has(categoryOf(stream))).map(eventOf)
            yield { events, upTo: positionOf(place), live } satisfies Batch
          }
        }
      } finally {
        signal.removeEventListener('abort', tail.lookUp)
      }
    },

    isUnchanged: (stream, since) => tail.isUnchanged(stream, placeOf(since)),

    figures: commits.figures,

    close: async () => {
      if (closed.aborted) return
      closing.abort()
      await batcher.drained()
      await Promise.all([appender.end(), reader.end()])
    },
  }
}
