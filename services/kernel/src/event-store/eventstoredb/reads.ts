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
import type { Client } from './client.ts'
import { type Chunks, inChunks } from './in-chunks.ts'
import { beforeAll } from './position.ts'
import { placeOfReceived, type Received } from './received.ts'

/** What a subscription hears, in log order. */
export type Heard =
  | ResolvedEvent
  /** All that matches up to here was heard. */
  | { passed: bigint }
  /** All that was in the log when the subscription began was heard. */
  | { caughtUp: true }

/** How many foreign events the server looks through before it says how far it got: 32 windows of 32. */
const checkpointInterval = 32

/** The place of the last event of the log, whoever wrote it; `beforeAll` when there is none. */
export const readHead = async ({ esdb, credentials }: Client, silenceMilliseconds: number): Promise<bigint> => {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1, credentials } as const
  const [last] = await allOf(esdb.readAll(options), silenceMilliseconds)
  return last?.event ? placeOfReceived(last.event) : beforeAll
}

/** The events of one stream from a revision on, so many at most; none of a stream that does not exist. */
export const readStream = async (
  { esdb, credentials }: Client,
  stream: string,
  fromRevision: bigint,
  maxCount: number,
  silenceMilliseconds: number,
): Promise<Received[]> => {
  try {
    const read = esdb.readStream(stream, { fromRevision, maxCount, credentials })
    return (await allOf(read, silenceMilliseconds)).flatMap(({ event }) => event ?? [])
  } catch (error) {
    if (error instanceof StreamNotFoundError) return []
    throw error
  }
}

/** Follows the log after a place. With prefixes only the streams that begin with one of them, and says where it is. */
export const subscribe = (
  { esdb, credentials }: Client,
  after: bigint,
  options: { prefixes?: string[]; limit: number; gatherMilliseconds: number; silenceMilliseconds: number },
): Chunks<Heard> => {
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
  const chunks = inChunks<Heard>(subscription as unknown as Readable, {
    ...chunking,
    cancel: () => subscription.unsubscribe(),
  })
  subscription.on('caughtUp', () => chunks.note({ caughtUp: true }, true))
  return chunks
}

/** Everything that a read gives. The client's reads have no time-out of their own. */
const allOf = async (read: Cancellable, silenceMilliseconds: number): Promise<ResolvedEvent[]> => {
  const cancel = () => read.cancel()
  const options = { limit: Number.POSITIVE_INFINITY, gatherMilliseconds: 0, silenceMilliseconds, cancel }
  const chunks = inChunks<ResolvedEvent>(read as unknown as Readable, options)
  const all: ResolvedEvent[] = []
  try {
    for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) all.push(...chunk)
    return all
  } catch (error) {
    chunks.stop()
    throw error
  }
}

interface Cancellable {
  cancel(): Promise<void>
}
