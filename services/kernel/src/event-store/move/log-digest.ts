import { createHash } from 'node:crypto'
import { identityStream } from '../identity/recognize-log.ts'
import { beginning, type EventStore, type RecordedEvent } from '../port.ts'
import { toStored } from '../stored-metadata.ts'

/** What a copy must have in common with its log: all but the position. As stored, so that digests are those of earlier releases. */
export const textOf = ({ stream, revision, id, type, data, metadata }: RecordedEvent): string =>
  `${JSON.stringify([stream, String(revision), id, type, data]).slice(0, -1)},${toStored(JSON.stringify(metadata))}]`

/** In the order of the log; without the identity, which a copy has of its own. */
export async function* eventsOf(store: EventStore): AsyncGenerator<RecordedEvent> {
  for await (const { events } of store.readWhole(beginning))
    for (const event of events) if (event.stream !== identityStream) yield event
}

export interface StreamDigest {
  events: number
  /** SHA-256 over the digest before and the event, in base64. */
  hash: string
}

const emptyStream: StreamDigest = { events: 0, hash: '' }

const withEvent = ({ events, hash }: StreamDigest, text: string): StreamDigest => ({
  events: events + 1,
  hash: createHash('sha256').update(hash).update(text).digest('base64'),
})

/** As a decider reads the stream. */
export const digestOfStream = async (store: EventStore, stream: string): Promise<StreamDigest> => {
  let digest = emptyStream
  for await (const page of store.read(stream)) for (const event of page) digest = withEvent(digest, textOf(event))
  return digest
}

export interface LogDigest {
  add(text: string, stream: string): void
  events(): number
  streams: ReadonlyMap<string, StreamDigest>
  /** SHA-256 over all events in their order, in hexadecimal; ends the digest. */
  order(): string
}

/** Its memory grows with the number of streams. */
export const logDigest = (): LogDigest => {
  const order = createHash('sha256')
  const streams = new Map<string, StreamDigest>()
  let events = 0
  return {
    add(text, stream) {
      events++
      order.update(text).update('\n')
      streams.set(stream, withEvent(streams.get(stream) ?? emptyStream, text))
    },
    events: () => events,
    streams,
    order: () => order.digest('hex'),
  }
}
