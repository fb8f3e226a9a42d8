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
import { maxPageBytes } from '../port.ts'
import type { Client } from './client.ts'
import { type Chunks, inChunks } from './in-chunks.ts'
import { beforeAll } from './position.ts'
import { placeOfReceived, type Received } from './received.ts'

/** What a subscription receives, in log order. */
export type SubscriptionItem =
  | ResolvedEvent
  /** Everything that matches up to here was received. */
  | { passed: bigint }
  /** Everything that was in the log when the subscription began was received. */
  | { caughtUp: true }

/** How many foreign events the server looks through before it sends a checkpoint: 32 windows of 32. */
const checkpointInterval = 32

/** The place of the last event of the log, whoever wrote it; `beforeAll` when there is none. */
export const readHead = async ({ esdb, credentials }: Client, silenceMs: number): Promise<bigint> => {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1, credentials } as const
  const [last] = await allOf(esdb.readAll(options), silenceMs)
  return last?.event ? placeOfReceived(last.event) : beforeAll
}

/** Where a page of one stream begins and which way it goes. */
export type PageOfStream = { fromRevision: bigint } | { beforeRevision: bigint | 'end' }

/** The events of one stream from a revision on, or before one and newest first, so many at most; none of a stream that does not exist. */
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

/** Follows the log after a place. With prefixes only the streams that begin with one of them, with checkpoints in between. */
export const subscribe = (
  { esdb, credentials }: Client,
  after: bigint,
  options: { prefixes?: string[]; limit: number; gatherMs: number; silenceMs: number },
): Chunks<SubscriptionItem> => {
  const { prefixes, ...chunking } = options
  // The client awaits this callback, and stalls for ever if it throws.
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

/** Everything that a read gives. The client's reads have no time-out of their own. */
const allOf = async (read: Cancellable, silenceMs: number): Promise<ResolvedEvent[]> =>
  (await upToBytes(read, silenceMs, Number.POSITIVE_INFINITY)).events

/** How many events are taken from the client before their size is added up. */
const weighedAtOnce = 64

/** What a read gives until together it takes so many bytes; `isCut`: there may be more. */
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
