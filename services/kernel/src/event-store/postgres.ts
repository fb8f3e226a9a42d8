import pg from 'pg'
import { type Reachability, reachability, StoreUnavailable } from '../async/reachability.ts'
import { isUnreachable } from '../postgres/is-unreachable.ts'
import { listen } from '../postgres/listen.ts'
import { preferIndexes } from '../postgres/pool.ts'
import { appendRequest } from './append-request.ts'
import { inPages } from './in-pages.ts'
import { numericPositionOf, positionOf, requireWithin } from './numeric-position.ts'
import { type Batch, type EventStore, maxPageBytes, type RecordedEvent } from './port.ts'
import { categoryBatches } from './postgres/category-batches.ts'
import { committer } from './postgres/committer.ts'
import { followLog } from './postgres/follow-log.ts'
import { logTail } from './postgres/log-tail.ts'
import {
  type EventRow,
  readHead,
  readRange,
  readStream,
  readStreamBack,
  readStreams,
  readTail,
  recordedEvent,
} from './postgres/queries.ts'
import { channel } from './postgres/table.ts'

const pageSize = 2000
const backPageSize = 100
/** Small batches cost less garbage collection. */
const batchSize = 500

const bytesOf = (rows: readonly EventRow[]): number =>
  rows.reduce((sum, [, , , , , data, metadata]) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata), 0)

export interface PostgresEventStoreOptions {
  /** `postgres://user:password@host:port/database`, with `eventStoreMigrations` applied. */
  url: string
  /** Appends and listening take one more each. */
  readers?: number
  /** Retry period before `StoreUnavailable`. */
  maxOutageMs?: number
  /** Then the connection is closed. */
  answerMs?: number
  /** Called with failures that are retried. */
  onTrouble?: (error: unknown) => void
}

const openPools = (url: string, readers: number, answerMs: number) => {
  const connection = {
    connectionString: url,
    options: preferIndexes,
    application_name: 'prosa-event-store',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: answerMs,
    idleTimeoutMillis: 60_000,
  }
  return { appender: new pg.Pool({ ...connection, max: 1 }), reader: new pg.Pool({ ...connection, max: readers }) }
}

interface ReadDeps {
  reader: pg.Pool
  server: Reachability
  batches: ReturnType<typeof categoryBatches>
  requireOpen: () => void
}

type Reads = Pick<EventStore, 'read' | 'readMany' | 'readBack' | 'readAll' | 'readWhole'>

/** Up to where the log ends when they begin. */
const readsOf = ({ reader, server, batches, requireOpen }: ReadDeps): Reads => ({
  async *read(stream, { from = 0n, max = Number.POSITIVE_INFINITY } = {}) {
    requireOpen()
    yield* inPages({ revision: from, left: max }, async ({ revision, left }) => {
      const size = Math.min(pageSize, left)
      const rows = await server.retryForAWhile(() => readStream(reader, stream, revision, size))
      if (rows.length === 0) return undefined
      const isLast = rows.length === left || (rows.length < size && bytesOf(rows) < maxPageBytes)
      const next = isLast ? undefined : { revision: revision + BigInt(rows.length), left: left - rows.length }
      return { page: rows.map(recordedEvent), next }
    })
  },

  async *readMany(streams, upTo) {
    requireOpen()
    const last = numericPositionOf(upTo)
    yield* inPages(streams, async (left) => {
      if (left.length === 0) return undefined
      const rows = await server.retryForAWhile(() => readStreams(reader, left, last, pageSize))
      const page = rows.map(recordedEvent)
      const newest = page.at(-1)
      if (!newest) return undefined
      const isLast = rows.length < pageSize && bytesOf(rows) < maxPageBytes
      const rest = left.slice(left.findIndex(({ stream }) => stream === newest.stream) + 1)
      const next = isLast ? undefined : [{ stream: newest.stream, from: newest.revision + 1n }, ...rest]
      return { page, next }
    })
  },

  async *readBack(stream) {
    requireOpen()
    yield* inPages<RecordedEvent[], bigint | null>(null, async (before) => {
      const rows = await server.retryForAWhile(() => readStreamBack(reader, stream, before, backPageSize))
      const page = rows.map(recordedEvent)
      const oldest = page.at(-1)?.revision
      if (oldest === undefined) return undefined
      return { page, next: oldest === 0n ? undefined : oldest }
    })
  },

  async *readAll(after, filter) {
    requireOpen()
    const from = numericPositionOf(after)
    const head = await server.retryForAWhile(() => readHead(reader))
    requireWithin(from, head)
    for await (const { events, upTo } of batches({ after: from, upTo: head }, filter, batchSize))
      yield { events, upTo: positionOf(upTo), live: false }
  },

  async *readWhole(after) {
    requireOpen()
    const from = numericPositionOf(after)
    const head = await server.retryForAWhile(() => readHead(reader))
    requireWithin(from, head)
    yield* inPages<Batch, number>(from, async (position) => {
      const rows = await server.retryForAWhile(() => readRange(reader, position, head, pageSize))
      const events = rows.map(recordedEvent)
      const last = events.at(-1)?.position
      if (last === undefined) return undefined
      return { page: { events, upTo: last, live: false }, next: numericPositionOf(last) }
    })
  },
})

/** PostgreSQL 13 or later, any number of processes. A transaction-mode pooler breaks LISTEN. */
export const postgresEventStore = async ({
  url,
  readers = 4,
  maxOutageMs = 10_000,
  answerMs = 30_000,
  onTrouble = () => undefined,
}: PostgresEventStoreOptions): Promise<EventStore> => {
  const { appender, reader } = openPools(url, readers, answerMs)
  for (const pool of [appender, reader]) pool.on('error', onTrouble)
  const server = reachability({
    complaint: 'PostgreSQL cannot be reached',
    isUnreachable,
    maxOutageMs,
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
  const writer = committer(appender, server, tail)
  const batches = categoryBatches(reader, server)
  const follow = followLog(tail, batches)

  const requireOpen = () => {
    if (closed.aborted) throw new StoreUnavailable('the event store is closed')
  }
  const reads = readsOf({ reader, server, batches, requireOpen })

  try {
    await server.retryForAWhile(() => readHead(appender))
  } catch (error) {
    await Promise.all([appender.end(), reader.end()])
    throw error
  }

  return {
    append: async (stream, expected, events) => {
      requireOpen()
      return writer.append(appendRequest(stream, expected, events))
    },

    ...reads,

    async *subscribe(after, filter, aborted) {
      const signal = AbortSignal.any([aborted, closed])
      const numericPosition = numericPositionOf(after)
      if (!listening) listen(url, channel, writer.onAnnounced, closed)
      listening = true
      await tail.follow(signal)
      const head = await server.retryUntilAborted(() => readHead(reader), signal)
      if (head === undefined) return
      requireWithin(numericPosition, head)
      yield* follow(numericPosition, head, filter, signal)
    },

    isUnchanged: (stream, since) => tail.isUnchanged(stream, numericPositionOf(since)),

    metrics: writer.metrics,

    close: async () => {
      if (closed.aborted) return
      closing.abort()
      await writer.drained()
      await Promise.all([appender.end(), reader.end()])
    },
  }
}
