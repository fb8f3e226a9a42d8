import { appendRequest } from './append-request.ts'
import { categoryOf } from './category.ts'
import { appender } from './eventstoredb/appender.ts'
import { catchUp, type Page } from './eventstoredb/catch-up.ts'
import { openClient } from './eventstoredb/client.ts'
import { isUnreachable } from './eventstoredb/failures.ts'
import { logTail } from './eventstoredb/log-tail.ts'
import { placeOf, positionOf, requireWithin } from './eventstoredb/position.ts'
import { type PageOfStream, readHead, readStream } from './eventstoredb/reads.ts'
import { placeOfReceived, recordedEvent, recordedFromKept } from './eventstoredb/received.ts'
import { inPages } from './in-pages.ts'
import { type Batch, type EventStore, EventStoreUnavailable, type Filter, type RecordedEvent } from './port.ts'
import { reachability } from './reachability.ts'

const pageSize = 2000
const backPageSize = 100

export interface EventStoreDbEventStoreOptions {
  /** `esdb://user:password@host:port` or `esdb+discover://…` for a cluster; `?tls=false` for an insecure server. */
  url: string
  /** Instead of those in the address. */
  credentials?: { username: string; password: string }
  /** How long an append or a read is repeated while the server cannot be reached, before `EventStoreUnavailable`. */
  patienceMilliseconds?: number
  /** How long one append may stay unanswered before it is repeated. */
  answerMilliseconds?: number
  /** How long the server may send nothing in the middle of a read before the read is repeated. */
  silenceMilliseconds?: number
  /** Hears of lost connections and of attempts that failed; they heal by themselves. */
  onTrouble?: (error: unknown) => void
}

/**
 * The log in EventStoreDB 23.10 (22.6 is the oldest that can work). Any number of processes may append to one log and follow
 * it. The server's projections are not needed, nothing is scavenged or deleted.
 */
export const eventStoreDbEventStore = async ({
  url,
  credentials,
  patienceMilliseconds = 10_000,
  answerMilliseconds = 2000,
  silenceMilliseconds = 10_000,
  onTrouble = () => undefined,
}: EventStoreDbEventStoreOptions): Promise<EventStore> => {
  const client = openClient(url, credentials, onTrouble)
  const server = reachability({
    complaint: 'EventStoreDB cannot be reached',
    isUnreachable,
    patienceMilliseconds,
    onTrouble,
  })
  const closing = new AbortController()
  const closed = closing.signal
  const tail = logTail(client, closed, { silenceMilliseconds, onTrouble })
  let lastSeen = -1n

  const saw = (place: bigint) => {
    if (place > lastSeen) lastSeen = place
  }
  const head = async () => {
    const place = await readHead(client, silenceMilliseconds)
    saw(place)
    return place
  }
  const writer = appender(client, {
    server,
    answerMilliseconds,
    lastSeen: () => (tail.head() > lastSeen ? tail.head() : lastSeen),
  })

  const readPage = async (stream: string, page: PageOfStream, size: number) => {
    const read = await server.persist(() => readStream(client, stream, page, size, silenceMilliseconds))
    for (const each of [read.received[0], read.received.at(-1)]) if (each) saw(placeOfReceived(each))
    return read
  }

  const requireOpen = () => {
    if (closed.aborted) throw new EventStoreUnavailable('the event store is closed')
  }

  /** The pages of some categories after one place up to another; with a signal they also end when it aborts. */
  async function* pages(after: bigint, upTo: bigint, { categories }: Filter, signal?: AbortSignal) {
    let place = after
    let source: AsyncGenerator<Page> | undefined
    const pull = async () => {
      requireOpen()
      source ??= catchUp(client, place, upTo, categories, { silenceMilliseconds, signal })
      try {
        return await source.next()
      } catch (error) {
        source = undefined
        throw error
      }
    }
    try {
      while (place < upTo && !signal?.aborted) {
        const step = await (signal ? server.outlast(pull, signal) : server.persist(pull))
        if (step === undefined || step.done) return
        place = step.value.upTo
        saw(place)
        yield step.value
      }
    } finally {
      await source?.return(undefined)
    }
  }

  try {
    await server.persist(head)
  } catch (error) {
    await client.esdb.dispose()
    throw error
  }

  return {
    append: async (stream, expected, events) => {
      requireOpen()
      const result = await writer.append(appendRequest(stream, expected, events))
      if (result.ok) saw(placeOf(result.position))
      return result
    },

    async *read(stream, { from = 0n, most = Number.POSITIVE_INFINITY } = {}) {
      requireOpen()
      yield* inPages({ revision: from, left: most }, async ({ revision, left }) => {
        const size = Math.min(pageSize, left)
        const { received, isLast } = await readPage(stream, { fromRevision: revision }, size)
        const last = received.at(-1)
        if (!last) return undefined
        const isEnd = isLast || received.length === left
        const next = isEnd ? undefined : { revision: last.revision + 1n, left: left - received.length }
        return { page: received.map(recordedEvent), next }
      })
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
      const from = placeOf(after)
      const end = await server.persist(head)
      requireWithin(from, end)
      for await (const { events, upTo } of pages(from, end, filter))
        yield { events, upTo: positionOf(upTo), live: false }
    },

    async *subscribe(after, filter, aborted) {
      const signal = AbortSignal.any([aborted, closed])
      let place = placeOf(after)
      await tail.follow(signal)
      const start = await server.outlast(head, signal)
      if (start === undefined) return
      requireWithin(place, start)
      const batch = ({ events, upTo }: Page, live: boolean): Batch => ({ events, upTo: positionOf(upTo), live })

      // The first stretch comes from the server even where the tail has it: only the server knows its own positions.
      for await (const page of pages(place, start, filter, signal)) {
        place = page.upTo
        yield batch(page, false)
        if (signal.aborted) return
      }

      const wanted = new Set(filter.categories)
      let live = false
      while (!signal.aborted) {
        const news = tail.after(place)
        if (news === undefined) {
          for await (const page of pages(place, tail.head(), filter, signal)) {
            place = page.upTo
            yield batch(page, live)
            if (signal.aborted) return
          }
        } else if (news.length === 0 && live) {
          // The server's own events move the tail on and are nothing to hand out.
          if (tail.head() > place) place = tail.head()
          await tail.passed(place, signal)
        } else {
          live = true
          const taken = news.slice(0, pageSize)
          const reached = taken.length < news.length ? taken.at(-1)?.place : tail.head()
          if (reached !== undefined && reached > place) place = reached
          const events = taken.filter(({ stream }) => wanted.has(categoryOf(stream))).map(recordedFromKept)
          yield batch({ events, upTo: place }, live)
        }
      }
    },

    close: async () => {
      if (closed.aborted) return
      closing.abort()
      await writer.drained()
      await client.esdb.dispose()
    },
  }
}
