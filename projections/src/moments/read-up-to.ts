import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldInto } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import type { EventStore, Position, RecordedEvent, StreamFrom } from '@prosa/kernel/event-store/port'

export interface Log {
  store: Pick<EventStore, 'read' | 'readMany'>
  codec: Codec
}

const eventsAtOnce = 200

const recordedUpTo = async (
  { store }: Log,
  stream: string,
  upTo: Position,
  from: bigint,
): Promise<readonly RecordedEvent[]> => {
  const found: RecordedEvent[] = []
  while (true) {
    const before = found.length
    for await (const page of store.read(stream, { from: from + BigInt(before), max: eventsAtOnce })) found.push(...page)
    const last = found.at(-1)
    if (!last || last.position > upTo) return found.filter(({ position }) => position <= upTo)
    if (found.length - before < eventsAtOnce) return found
  }
}

/** A stream's events from a revision up to a position of the log, decrypted as of today. Empty for a missing stream. */
export const readUpTo = async (log: Log, stream: string, upTo: Position, from = 0n): Promise<readonly Stored[]> =>
  log.codec.decode(await recordedUpTo(log, stream, upTo, from))

/** By stream: events of several, up to a position of the log, decrypted as of today. */
export const readManyUpTo = async (
  { store, codec }: Log,
  streams: readonly StreamFrom[],
  upTo: Position,
): Promise<(stream: string) => readonly Stored[]> => {
  const found = new Map<string, Stored[]>()
  for await (const page of store.readMany(streams, upTo))
    for (const event of await codec.decode(page)) {
      const events = found.get(event.stream)
      if (events) events.push(event)
      else found.set(event.stream, [event])
    }
  return (stream) => found.get(stream) ?? []
}

/** Rows by key, as the projection would have them if the log held these events alone. `beside` finds none of other streams. */
export const foldEvents = <Row extends object>(
  projection: Projection<Row>,
  events: readonly Stored[],
  before: Iterable<[string, Row]> = [],
): Map<string, Row> => {
  const rows = new Map(before)
  for (const event of events) foldInto(projection, rows, event)
  return rows
}
