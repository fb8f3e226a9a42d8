import { type Reachability, reachability, StoreUnavailable } from '../async/reachability.ts'
import { appendRequest } from './append-request.ts'
import { appender } from './eventstoredb/appender.ts'
import { type Client, openClient } from './eventstoredb/client.ts'
import { isUnreachable } from './eventstoredb/failures.ts'
import { followLog } from './eventstoredb/follow-log.ts'
import { logTail } from './eventstoredb/log-tail.ts'
import { pagesOfLog } from './eventstoredb/pages-of-log.ts'
import { numericPositionOf, positionOf, requireWithin } from './eventstoredb/position.ts'
import { type PageOfStream, pagesOfStreams, readHead, readStream } from './eventstoredb/reads.ts'
import { numericPositionOfReceived, recordedEvent } from './eventstoredb/received.ts'
import { inPages } from './in-pages.ts'
import type { EventStore, RecordedEvent } from './port.ts'

const pageSize = 2000
const backPageSize = 100

export interface EventStoreDbEventStoreOptions {
  /** `esdb://user:password@host:port` or `esdb+discover://…` for a cluster; `?tls=false` for an insecure server. */
  url: string
  credentials?: { username: string; password: string }
  /** Retry period before `StoreUnavailable`. */
  maxOutageMs?: number
  /** Time-out of an append. */
  answerMs?: number
  /** Time-out of a stalled read. */
  silenceMs?: number
  /** Called with failures that are retried. */
  onTrouble?: (error: unknown) => void
}

const furthestSeen = () => {
  let lastSeen = -1n
  /** Own appends left out. */
  let lastRead = -1n
  const saw = (numericPosition: bigint) => {
    if (numericPosition > lastSeen) lastSeen = numericPosition
  }
  const read = (numericPosition: bigint) => {
    if (numericPosition > lastRead) lastRead = numericPosition
    saw(numericPosition)
  }
  return { saw, read, lastSeen: () => lastSeen, lastRead: () => lastRead }
}

interface ReadDeps {
  client: Client
  silenceMs: number
  head: () => Promise<bigint>
  read: (numericPosition: bigint) => void
  pages: ReturnType<typeof pagesOfLog>
  server: Reachability
  requireOpen: () => void
}

type Reads = Pick<EventStore, 'read' | 'readMany' | 'readBack' | 'readAll' | 'readWhole'>

/** Up to where the log ends when they begin. */
const readsOf = ({ client, silenceMs, head, pages, read, server, requireOpen }: ReadDeps): Reads => {
  const readPage = async (stream: string, page: PageOfStream, size: number) => {
    const found = await server.retryForAWhile(() => readStream(client, stream, page, size, silenceMs))
    for (const each of [found.received[0], found.received.at(-1)]) if (each) read(numericPositionOfReceived(each))
    return found
  }

  return {
    async *read(stream, { from = 0n, max = Number.POSITIVE_INFINITY } = {}) {
      requireOpen()
      yield* inPages({ revision: from, left: max }, async ({ revision, left }) => {
        const size = Math.min(pageSize, left)
        const { received, isLast } = await readPage(stream, { fromRevision: revision }, size)
        const last = received.at(-1)
        if (!last) return undefined
        const isEnd = isLast || received.length === left
        const next = isEnd ? undefined : { revision: last.revision + 1n, left: left - received.length }
        return { page: received.map(recordedEvent), next }
      })
    },

    async *readMany(streams, upTo) {
      requireOpen()
      for await (const page of pagesOfStreams(readPage, streams, numericPositionOf(upTo))) yield page.map(recordedEvent)
    },

    async *readBack(stream) {
      requireOpen()
      yield* inPages<RecordedEvent[], bigint | 'end'>('end', async (beforeRevision) => {
        const { received } = await readPage(stream, { beforeRevision }, backPageSize)
        const oldest = received.at(-1)?.revision
        if (oldest === undefined) return undefined
        return { page: received.map(recordedEvent), next: oldest === 0n ? undefined : oldest }
      })
    },

    async *readAll(after, filter) {
      requireOpen()
      const from = numericPositionOf(after)
      const end = await server.retryForAWhile(head)
      requireWithin(from, end)
      for await (const { events, upTo } of pages(from, end, filter))
        yield { events, upTo: positionOf(upTo), live: false }
    },

    async *readWhole(after) {
      requireOpen()
      const from = numericPositionOf(after)
      const end = await server.retryForAWhile(head)
      requireWithin(from, end)
      for await (const { events, upTo } of pages(from, end)) yield { events, upTo: positionOf(upTo), live: false }
    },
  }
}

/** EventStoreDB 23.10 (22.6 at least), any number of processes. Needs no server projections; nothing is deleted. */
export const eventStoreDbEventStore = async ({
  url,
  credentials,
  maxOutageMs = 10_000,
  answerMs = 2000,
  silenceMs = 10_000,
  onTrouble = () => undefined,
}: EventStoreDbEventStoreOptions): Promise<EventStore> => {
  const client = openClient(url, credentials, onTrouble)
  const server = reachability({
    complaint: 'EventStoreDB cannot be reached',
    isUnreachable,
    maxOutageMs,
    onTrouble,
  })
  const closing = new AbortController()
  const closed = closing.signal
  const tail = logTail(client, closed, { silenceMs, onTrouble })
  const { saw, read, lastSeen, lastRead } = furthestSeen()
  const head = async () => {
    const numericPosition = await readHead(client, silenceMs)
    read(numericPosition)
    return numericPosition
  }
  const writer = appender(client, {
    server,
    answerMs,
    lastSeen: () => (tail.head() > lastSeen() ? tail.head() : lastSeen()),
  })

  const requireOpen = () => {
    if (closed.aborted) throw new StoreUnavailable('the event store is closed')
  }

  const pages = pagesOfLog({ client, server, silenceMs, requireOpen, saw: read })

  try {
    await server.retryForAWhile(head)
  } catch (error) {
    await client.esdb.dispose()
    throw error
  }

  return {
    append: async (stream, expected, events) => {
      requireOpen()
      const result = await writer.append(appendRequest(stream, expected, events))
      if (result.ok) {
        const numericPosition = numericPositionOf(result.position)
        saw(numericPosition)
        tail.appended(stream, numericPosition)
      }
      return result
    },

    ...readsOf({ client, silenceMs, head, pages, read, server, requireOpen }),

    async *subscribe(after, filter, aborted) {
      const signal = AbortSignal.any([aborted, closed])
      const numericPosition = numericPositionOf(after)
      await tail.follow(signal)
      const end = await server.retryUntilAborted(head, signal)
      if (end === undefined) return
      requireWithin(numericPosition, end)
      yield* followLog({ tail, pages }, { after: numericPosition, head: end }, filter, signal)
    },

    // What was read may have been caused by events that the tail has not received.
    isUnchanged: (stream, since) => tail.head() >= lastRead() && tail.isUnchanged(stream, numericPositionOf(since)),

    close: async () => {
      if (closed.aborted) return
      closing.abort()
      await writer.drained()
      await client.esdb.dispose()
    },
  }
}
