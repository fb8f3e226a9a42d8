import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { type RetiredShapes, retiredShapes, schemaVersions } from '@prosa/contracts/events/versions'
import { type LockedEvent, LockedForGood, lockedFields, type PersonalLock } from '../privacy/personal-lock.ts'
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
  /**
   * Checks against the contract, locks personal fields and adds the schema version. Throws on data that does not fit: a fault
   * of ours.
   */
  encode(events: readonly Identified[]): Promise<NewEvent[]>
  /**
   * Unlocks personal fields, upcasts retired shapes straight to today's and checks them. What was erased comes as the contract
   * shows it then. Throws `UndecodableEvent`.
   */
  decode(page: readonly RecordedEvent[]): Promise<Stored[]>
}

export interface Identified {
  id: string
  /** Where it will stand. */
  stream: string
  event: AnyEvent
  metadata: Omit<EventMetadata, 'schemaVersion'>
}

const isKnown = (type: string): type is EventType => Object.hasOwn(allEvents, type)

const versionOf = (type: string): number => schemaVersions[type] ?? 1

const upcast = (shapes: RetiredShapes, { type, stream, metadata }: RecordedEvent, data: unknown): unknown => {
  if (metadata.schemaVersion === versionOf(type)) return data
  const toToday = shapes[type]?.[metadata.schemaVersion]
  if (!toToday) throw new UndecodableEvent(`${stream}: ${type} has the unknown version ${metadata.schemaVersion}`)
  return toToday(data)
}

const unlocked = (events: readonly LockedEvent[]) => {
  const locked = events.find((event) => lockedFields(event).length > 0)
  if (locked) throw new LockedForGood(`${locked.stream}: ${locked.type} is locked, and no keys were given`)
  return events.map(({ data }) => data)
}

const always = {}
const withoutKeys: PersonalLock = {
  lock: async (events) => events.map(({ data }) => data),
  unlock: async (events) => unlocked(events),
  unlockAtOnce: unlocked,
  era: () => always,
}

/** What is new in the log comes in small pages, to a handful of readers; larger ones are read by one, who catches up. */
const mostShared = 64

export interface CodecOptions {
  /** Without it personal fields are stored as they are, and locked ones cannot be read: only for tests. */
  personal?: PersonalLock
  shapes?: RetiredShapes
}

/** Between stored JSON and the contract's events. What many read at the same time is unlocked and checked once. */
export const eventCodec = ({ personal = withoutKeys, shapes = retiredShapes }: CodecOptions = {}): Codec => {
  let known: { era: object; events: WeakMap<RecordedEvent, Stored> } | undefined
  const knownNow = () => {
    const era = personal.era()
    if (known?.era !== era) known = { era, events: new WeakMap() }
    return known.events
  }

  const checked = (recorded: RecordedEvent, data: unknown): Stored => {
    const { id, type, stream, revision, position, metadata } = recorded
    if (!isKnown(type)) throw new UndecodableEvent(`${stream}: nobody knows events of type ${type}`)
    const parsed = allEvents[type].safeParse(upcast(shapes, recorded, data))
    if (!parsed.success) throw new UndecodableEvent(`${stream}: ${type} does not fit its contract`)
    return { id, type, stream, revision, position, metadata, data: parsed.data } as Stored
  }

  /** Each event once for all who read it; undefined where a key would have to be asked for. */
  const decodeOnce = (page: readonly RecordedEvent[]): Stored[] | undefined => {
    const events = knownNow()
    const decoded: Stored[] = []
    for (const recorded of page) {
      const data = events.has(recorded) ? [] : personal.unlockAtOnce([recorded])
      if (!data) return undefined
      const stored = events.get(recorded) ?? checked(recorded, data[0])
      events.set(recorded, stored)
      decoded.push(stored)
    }
    return decoded
  }

  const decodeAll = async (page: readonly RecordedEvent[]): Promise<Stored[]> => {
    const data = await personal.unlock(page)
    return page.map((recorded, index) => checked(recorded, data[index]))
  }

  return {
    async encode(events) {
      const checked = events.map(({ id, stream, event, metadata }) => ({
        id,
        stream,
        type: event.type,
        owner: metadata.owner,
        data: allEvents[event.type].parse(event.data) as Record<string, Json>,
      }))
      const locked = await personal.lock(checked)
      return events.map(({ id, event: { type }, metadata }, index) => ({
        id,
        type,
        data: locked[index] ?? {},
        metadata: { ...metadata, schemaVersion: versionOf(type) },
      }))
    },

    async decode(page) {
      try {
        return (page.length <= mostShared && decodeOnce(page)) || (await decodeAll(page))
      } catch (error) {
        throw error instanceof LockedForGood ? new UndecodableEvent(error.message, { cause: error }) : error
      }
    },
  }
}
