import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldInto } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import type { EventStore, Position, RecordedEvent } from '@prosa/kernel/event-store/port'

export interface Log {
  store: Pick<EventStore, 'read'>
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
