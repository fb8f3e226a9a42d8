import { setImmediate as iteration } from 'node:timers/promises'
import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { type RetiredShapes, retiredShapes, schemaVersions } from '@prosa/contracts/events/versions'
import type { Json } from '../json.ts'
import { LoggableError } from '../loggable-error.ts'
import {
  encryptedReason,
  readEncryptedReason,
  reasonField,
  subjectOfReason,
  withoutReason,
} from '../privacy/encrypted-reason.ts'
import {
  type EncryptedEvent,
  encryptedFields,
  isEncrypted,
  type PersonalEncryption,
  Undecryptable,
} from '../privacy/personal-encryption.ts'
import type { NewEvent, Position, RecordedEvent } from './port.ts'

export type Stored<E extends { type: string; data: unknown } = AnyEvent> = E & {
  id: string
  stream: string
  revision: bigint
  position: Position
  metadata: EventMetadata
}

export type StoredOf<T extends EventType> = Stored<Extract<AnyEvent, { type: T }>>

export class UndecodableEvent extends LoggableError {
  override name = 'UndecodableEvent'
}

export interface Codec {
  /** Validates, encrypts personal fields and reasons, adds the schema version. Throws on invalid data. */
  encode(events: readonly Identified[]): Promise<NewEvent[]>
  /** Decrypts, upcasts retired shapes and validates; erased fields get the contract's placeholder. Throws `UndecodableEvent`. */
  decode(page: readonly RecordedEvent[]): Promise<Stored[]>
}

export interface Identified {
  id: string
  stream: string
  event: AnyEvent
  metadata: Omit<EventMetadata, 'schemaVersion'>
}

const isKnown = (type: string): type is EventType => Object.hasOwn(allEvents, type)

const versionOf = (type: string): number => schemaVersions[type] ?? 1

/** Stream names hold no personal data. */
const nameOf = ({ stream, position }: RecordedEvent): string => `${stream}, position ${position}`

const upcast = (shapes: RetiredShapes, recorded: RecordedEvent, data: unknown): unknown => {
  const { type, metadata } = recorded
  if (metadata.schemaVersion === versionOf(type)) return data
  const toToday = shapes[type]?.[metadata.schemaVersion]
  if (!toToday)
    throw new UndecodableEvent(`${nameOf(recorded)}: ${type} has the unknown version ${metadata.schemaVersion}`)
  return toToday(data)
}

/** The reason joins the fields, so that one key look-up decrypts all. */
const joined = (recorded: RecordedEvent): EncryptedEvent => {
  const reason = readEncryptedReason(recorded.metadata.reason)
  if (!reason) return recorded
  const { id, stream, type, data } = recorded
  return { id, stream, type, data: { ...data, [reasonField]: reason } }
}

const apart = ({ metadata }: RecordedEvent, decrypted: EncryptedEvent['data']) => {
  if (!(reasonField in decrypted)) return { metadata, data: decrypted }
  const { reason, data } = withoutReason(decrypted)
  return { metadata: { ...metadata, reason: String(reason) }, data }
}

const decryptedWithoutKeys = (events: readonly EncryptedEvent[]) => {
  const encrypted = events.find((event) => encryptedFields(event).length > 0)
  if (encrypted) throw new Undecryptable(encrypted.id, `${encrypted.type} is encrypted, and no keys were given`)
  return events.map(({ data }) => data)
}

const always = {}
const withoutKeys: PersonalEncryption = {
  encrypt: async (events) => events.map(({ data }) => data),
  decrypt: async (events) => decryptedWithoutKeys(events),
  decryptCached: decryptedWithoutKeys,
  cacheGeneration: () => always,
}

/** Larger pages have one reader, who catches up. */
const maxShared = 64

export interface CodecOptions {
  /** For tests only: without it personal fields are stored in plain text. */
  personal?: PersonalEncryption
  shapes?: RetiredShapes
  stopwatch?: () => number
}

/** Large pages take seconds to decode; others need the process meanwhile. */
const restlessMs = 20

const rests = (stopwatch: () => number) => {
  let began = stopwatch()
  return {
    isDue: () => stopwatch() - began >= restlessMs,
    async take() {
      await iteration()
      began = stopwatch()
    },
  }
}

const toEncrypt = ({ id, stream, event, metadata }: Identified) => ({
  id,
  stream,
  type: event.type,
  tenant: metadata.tenant,
  reason:
    metadata.reason === undefined
      ? undefined
      : {
          text: metadata.reason,
          subject: subjectOfReason({
            type: event.type,
            stream,
            tenant: metadata.tenant,
            actorId: metadata.actor.id,
          }),
        },
  data: allEvents[event.type].parse(event.data) as Record<string, Json>,
})

/** Decodes events that several readers take at once only once. */
export const eventCodec = ({
  personal = withoutKeys,
  shapes = retiredShapes,
  stopwatch = () => performance.now(),
}: CodecOptions = {}): Codec => {
  let known: { cacheGeneration: object; events: WeakMap<RecordedEvent, Stored> } | undefined
  const knownNow = () => {
    const cacheGeneration = personal.cacheGeneration()
    if (known?.cacheGeneration !== cacheGeneration) known = { cacheGeneration, events: new WeakMap() }
    return known.events
  }

  const checked = (recorded: RecordedEvent, decryptedData: EncryptedEvent['data'] = {}): Stored => {
    const { id, type, stream, revision, position } = recorded
    const { metadata, data } = apart(recorded, decryptedData)
    if (!isKnown(type)) throw new UndecodableEvent(`${nameOf(recorded)}: unknown event type ${type}`)
    const parsed = allEvents[type].safeParse(upcast(shapes, recorded, data))
    if (!parsed.success) throw new UndecodableEvent(`${nameOf(recorded)}: ${type} does not fit its contract`)
    return { id, type, stream, revision, position, metadata, data: parsed.data } as Stored
  }

  /** Undefined where a key would have to be fetched. */
  const decodeOnce = async (page: readonly RecordedEvent[]): Promise<Stored[] | undefined> => {
    const events = knownNow()
    const decoded: Stored[] = []
    const rest = rests(stopwatch)
    for (const recorded of page) {
      if (rest.isDue()) await rest.take()
      const data = events.has(recorded) ? [] : personal.decryptCached([joined(recorded)])
      if (!data) return undefined
      const stored = events.get(recorded) ?? checked(recorded, data[0])
      events.set(recorded, stored)
      decoded.push(stored)
    }
    return decoded
  }

  const decodeAll = async (page: readonly RecordedEvent[]): Promise<Stored[]> => {
    const data = await personal.decrypt(page.map(joined))
    const decoded: Stored[] = []
    const rest = rests(stopwatch)
    for (const [index, recorded] of page.entries()) {
      if (rest.isDue()) await rest.take()
      decoded.push(checked(recorded, data[index]))
    }
    return decoded
  }

  return {
    async encode(events) {
      const encrypted = await personal.encrypt(events.map(toEncrypt))
      return events.map(({ id, event: { type }, metadata }, index) => {
        const { reason, data } = withoutReason(encrypted[index] ?? {})
        const about = isEncrypted(reason) ? { ...metadata, reason: encryptedReason(reason) } : metadata
        return { id, type, data, metadata: { ...about, schemaVersion: versionOf(type) } }
      })
    },

    async decode(page) {
      try {
        return (page.length <= maxShared && (await decodeOnce(page))) || (await decodeAll(page))
      } catch (error) {
        const encrypted = error instanceof Undecryptable && page.find(({ id }) => id === error.eventId)
        throw encrypted ? new UndecodableEvent(`${nameOf(encrypted)}: ${error.message}`, { cause: error }) : error
      }
    },
  }
}
