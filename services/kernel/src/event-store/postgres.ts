import pg from 'pg'
import { isUnreachable } from '../postgres/is-unreachable.ts'
import { listen } from '../postgres/pool.ts'
import { type AppendRequest, appendRequest } from './append-request.ts'
import { categoryOf } from './category.ts'
import { inPages } from './in-pages.ts'
import { placeOf, positionOf, requireWithin } from './place.ts'
import { type Batch, type EventStore, EventStoreUnavailable, type Filter, InvalidAppend } from './port.ts'
import { appendBatcher } from './postgres/append-batcher.ts'
import { commitFigures } from './postgres/commit-figures.ts'
import { isRefused } from './postgres/is-refused.ts'
import { logTail } from './postgres/log-tail.ts'
import {
  appendAll,
  migrate,
  readCategories,
  readHead,
  readStream,
  readTail,
  recordedEvent,
} from './postgres/queries.ts'
import { placeOfLine, recordedLine } from './postgres/recorded-line.ts'
import { channel } from './postgres/table.ts'
import { reachability } from './reachability.ts'

const pageSize = 2000
/** Who reads on at once holds a page while the next is made: smaller pages die young, and node collects less garbage. */
const readAllSize = 1000
/** How many places one query looks through for categories that may be rare: bounds its time and moves checkpoints on. */
const scanSize = 100_000

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

  const commits = commitFigures()
  const commit = async (requests: readonly AppendRequest[]) => {
    try {
      const results = await server.persist(() => appendAll(appender, requests))
      commits.made(requests)
      return results
    } catch (error) {
      commits.failed()
      throw isRefused(error) ? new InvalidAppend('PostgreSQL refused the append', { cause: error }) : error
    } finally {
      tail.wake()
    }
  }
  const batcher = appendBatcher(commit)

  /** The batches of some categories after one place up to another; with a signal they also end when it aborts. */
  async function* pages(after: number, upTo: number, { categories }: Filter, size: number, signal?: AbortSignal) {
    const loaded = inPages(after, async (from) => {
      if (from >= upTo) return undefined
      const to = Math.min(upTo, from + scanSize)
      const query = () => readCategories(reader, from, to, categories, size)
      const lines = await (signal ? server.outlast(query, signal) : server.persist(query))
      if (lines === undefined) return undefined
      const last = lines.at(-1)
      const next = lines.length === size && last ? placeOfLine(last) : to
      return { page: { lines, upTo: next }, next }
    })
    for await (const { lines, upTo } of loaded) yield { events: lines.map(recordedLine), upTo }
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

    async *read(stream, { from = 0n } = {}) {
      requireOpen()
      yield* inPages(from, async (revision) => {
        const rows = await server.persist(() => readStream(reader, stream, revision, pageSize))
        if (rows.length === 0) return undefined
        const next = rows.length === pageSize ? revision + BigInt(pageSize) : undefined
        return { page: rows.map(recordedEvent), next }
      })
    },

    async *readAll(after, filter) {
      requireOpen()
      const from = placeOf(after)
      const head = await server.persist(() => readHead(reader))
      requireWithin(from, head)
      for await (const { events, upTo } of pages(from, head, filter, readAllSize))
        yield { events, upTo: positionOf(upTo), live: false }
    },

    async *subscribe(after, filter, aborted) {
      const signal = AbortSignal.any([aborted, closed])
      let place = placeOf(after)
      if (!listening) listen(url, channel, tail.wake, closed)
      listening = true
      await tail.follow(signal)
      const head = await server.outlast(() => readHead(reader), signal)
      if (head === undefined) return
      requireWithin(place, head)

      const wanted = new Set(filter.categories)
      let live = false
      while (!signal.aborted) {
        const news = tail.after(place)
        if (news === undefined) {
          for await (const { events, upTo } of pages(place, tail.head(), filter, pageSize, signal)) {
            place = upTo
            yield { events, upTo: positionOf(place), live } satisfies Batch
            if (signal.aborted) return
          }
        } else if (news.length === 0 && (live || place < head)) {
          await tail.passed(place, signal)
        } else {
          const page = news.slice(0, pageSize)
          place += page.length
          live ||= place >= head
          const events = page.filter(([, stream]) => wanted.has(categoryOf(stream))).map(recordedEvent)
          yield { events, upTo: positionOf(place), live } satisfies Batch
        }
      }
    },

    figures: commits.figures,

    close: async () => {
      if (closed.aborted) return
      closing.abort()
      await batcher.drained()
      await Promise.all([appender.end(), reader.end()])
    },
  }
}
