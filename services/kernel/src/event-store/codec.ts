import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { type RetiredShapes, retiredShapes, schemaVersions } from '@prosa/contracts/events/versions'
import type { Json, NewEvent, Position, RecordedEvent } from './port.ts'

/** An event as the house works with it: today's shape, with its place in the log. */
export type Stored<E extends { type: string; data: unknown } = AnyEvent> = E & {
  id: string
  stream: string
  revision: bigint
  position: Position
  metadata: EventMetadata
}

/** A stored event that today's code cannot read: its type or version is unknown, or its data does not fit the contract. */
export class UndecodableEvent extends Error {
  override name = 'UndecodableEvent'
}

export interface Codec {
  /** Checks against the contract and adds the schema version. Throws on data that does not fit: a fault of ours. */
  encode(events: readonly Identified[]): Promise<NewEvent[]>
  /** Upcasts retired shapes straight to today's and checks them. Throws `UndecodableEvent`. */
  decode(page: readonly RecordedEvent[]): Promise<Stored[]>
}

export interface Identified {
  id: string
  event: AnyEvent
  metadata: Omit<EventMetadata, 'schemaVersion'>
}

const isKnown = (type: string): type is EventType => Object.hasOwn(allEvents, type)

const versionOf = (type: string): number => schemaVersions[type] ?? 1

const upcast = (shapes: RetiredShapes, { type, stream, data, metadata }: RecordedEvent): unknown => {
  if (metadata.schemaVersion === versionOf(type)) return data
  const toToday = shapes[type]?.[metadata.schemaVersion]
  if (!toToday) throw new UndecodableEvent(`${stream}: ${type} has the unknown version ${metadata.schemaVersion}`)
  return toToday(data)
}

/** Between stored JSON and the contract's events. Async, because personal fields are unlocked here. */
export const eventCodec = (shapes: RetiredShapes = retiredShapes): Codec => ({
  async encode(events) {
    return events.map(({ id, event, metadata }) => ({
      id,
      type: event.type,
      data: allEvents[event.type].parse(event.data) as Record<string, Json>,
      metadata: { ...metadata, schemaVersion: versionOf(event.type) },
    }))
  },

  async decode(page) {
    return page.map((recorded) => {
      const { type } = recorded
      if (!isKnown(type)) throw new UndecodableEvent(`${recorded.stream}: nobody knows events of type ${type}`)
      const parsed = allEvents[type].safeParse(upcast(shapes, recorded))
      if (!parsed.success) throw new UndecodableEvent(`${recorded.stream}: ${type} does not fit its contract`)
      return { ...recorded, data: parsed.data } as Stored
    })
  },
})
