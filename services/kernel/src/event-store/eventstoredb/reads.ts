import type { Readable } from 'node:stream'
import {
  type AllStreamSubscription,
  BACKWARDS,
  END,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
  streamNameFilter,
} from '@eventstore/db-client'
import { sizeOf } from '../../size-of.ts'
import { maxPageBytes, type StreamFrom } from '../port.ts'
import type { Client } from './client.ts'
import { type Chunks, inChunks } from './in-chunks.ts'
import { beforeAll } from './position.ts'
import { numericPositionOfReceived, type Received } from './received.ts'

export type SubscriptionItem =
  | ResolvedEvent
  /** Every match up to here was received. */
  | { passed: bigint }
  /** Everything before the subscription was received. */
  | { caughtUp: true }

/** Windows of 32 events: a checkpoint each 1024. */
const checkpointInterval = 32

/** `beforeAll` on an empty log. */
export const readHead = async ({ esdb, credentials }: Client, silenceMs: number): Promise<bigint> => {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1, credentials } as const
  const [last] = await allOf(esdb.readAll(options), silenceMs)
  return last?.event ? numericPositionOfReceived(last.event) : beforeAll
}

export type PageOfStream = { fromRevision: bigint } | { beforeRevision: bigint | 'end' }

/** Empty where the stream does not exist. */
export const readStream = async (
  { esdb, credentials }: Client,
  stream: string,
  page: PageOfStream,
  maxCount: number,
  silenceMs: number,
): Promise<{ received: Received[]; isLast: boolean }> => {
  const where =
    'fromRevision' in page
      ? page
      : ({
          direction: BACKWARDS,
          fromRevision: page.beforeRevision === 'end' ? END : page.beforeRevision - 1n,
        } as const)
  try {
    const read = esdb.readStream(stream, { ...where, maxCount, credentials })
    const { events, isCut } = await upToBytes(read, silenceMs)
    return { received: events.flatMap(({ event }) => event ?? []), isLast: !isCut && events.length < maxCount }
  } catch (error) {
    if (error instanceof StreamNotFoundError) return { received: [], isLast: true }
    throw error
  }
}

const streamsAtOnce = 8
const firstPageSize = 100
const nextPageSize = 2000

type ReadPage = (
  stream: string,
  page: { fromRevision: bigint },
  size: number,
) => Promise<{ received: Received[]; isLast: boolean }>

/** Up to a position. The server has no question about several streams: their first pages are asked for side by side. */
export async function* pagesOfStreams(
  readPage: ReadPage,
  streams: readonly StreamFrom[],
  upTo: bigint,
): AsyncGenerator<Received[]> {
  for (let index = 0; index < streams.length; index += streamsAtOnce) {
    const begun = streams.slice(index, index + streamsAtOnce).map(({ stream, from }) => ({
      stream,
      first: readPage(stream, { fromRevision: from }, firstPageSize),
    }))
    // A reader that stops early never awaits the others.
    for (const { first } of begun) first.catch(() => undefined)
    for (const { stream, first } of begun) {
      let page = await first
      while (page.received.length > 0) {
        const within = page.received.filter((each) => numericPositionOfReceived(each) <= upTo)
        if (within.length > 0) yield within
        const last = page.received.at(-1)
        if (!last || page.isLast || within.length < page.received.length) break
        page = await readPage(stream, { fromRevision: last.revision + 1n }, nextPageSize)
      }
    }
  }
}

/** Prefixes filter and add checkpoints. */
export const subscribe = (
  { esdb, credentials }: Client,
  after: bigint,
  options: { prefixes?: string[]; limit: number; gatherMs: number; silenceMs: number },
): Chunks<SubscriptionItem> => {
  const { prefixes, ...chunking } = options
  // The client stalls for ever if this callback throws.
  const checkpointReached = async (_: AllStreamSubscription, { commit }: { commit: bigint }) =>
    chunks.note({ passed: commit })
  const subscription = esdb.subscribeToAll({
    fromPosition: after === beforeAll ? START : { commit: after, prepare: after },
    credentials,
    ...(prefixes && {
      filter: streamNameFilter({ prefixes, checkpointInterval, maxSearchWindow: 32, checkpointReached }),
    }),
  })
  const chunks = inChunks<SubscriptionItem>(subscription as unknown as Readable, {
    ...chunking,
    cancel: () => subscription.unsubscribe(),
  })
  subscription.on('caughtUp', () => chunks.note({ caughtUp: true }, true))
  return chunks
}

/** The client's reads have no time-out. */
const allOf = async (read: Cancellable, silenceMs: number): Promise<ResolvedEvent[]> =>
  (await upToBytes(read, silenceMs, Number.POSITIVE_INFINITY)).events

const weighedAtOnce = 64

/** `isCut`: there may be more. */
const upToBytes = async (
  read: Cancellable,
  silenceMs: number,
  maxBytes = maxPageBytes,
): Promise<{ events: ResolvedEvent[]; isCut: boolean }> => {
  const cancel = () => read.cancel()
  const options = { limit: weighedAtOnce, gatherMs: 0, silenceMs, cancel }
  const chunks = inChunks<ResolvedEvent>(read as unknown as Readable, options)
  const events: ResolvedEvent[] = []
  let bytes = 0
  try {
    for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) {
      for (const each of chunk) {
        events.push(each)
        bytes += sizeOf(each.event?.data) + sizeOf(each.event?.metadata)
        if (bytes < maxBytes) continue
        chunks.stop()
        return { events, isCut: true }
      }
    }
    return { events, isCut: false }
  } catch (error) {
    chunks.stop()
    throw error
  }
}

interface Cancellable {
  cancel(): Promise<void>
}
