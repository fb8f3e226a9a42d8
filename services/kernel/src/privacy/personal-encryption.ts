import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import { type PersonalEventType, type Subject, subjectOf } from '@prosa/contracts/events/subjects'
import { erasedText, personalFields } from '@prosa/contracts/values/personal'
import type { Json } from '../json.ts'
import { lruMap } from '../lru-map.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import { type Encrypted, reasonField } from './encrypted-reason.ts'
import type { SecretBox } from './secret-box.ts'
import type { SubjectKey, SubjectKeys } from './subject-keys.ts'

/** No erasure is the cause: the key is lost, or the value was moved. */
export class Undecryptable extends Error {
  override name = 'LockedForGood'
  readonly eventId: string

  constructor(eventId: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.eventId = eventId
  }
}

export interface EncryptedEvent {
  id: string
  stream: string
  type: string
  data: { [field: string]: Json }
}

export interface EventToEncrypt extends EncryptedEvent {
  tenant: string | null
  reason?: { text: string; subject: Subject }
}

export interface PersonalEncryption {
  /** Keeps the order; a reason becomes `reasonField`. */
  encrypt(events: readonly EventToEncrypt[]): Promise<EncryptedEvent['data'][]>
  /** Erased fields get the contract's replacement. Throws `Undecryptable`. */
  decrypt(events: readonly EncryptedEvent[]): Promise<EncryptedEvent['data'][]>
  /** Does not wait; undefined where a key is not cached. */
  decryptCached(events: readonly EncryptedEvent[]): EncryptedEvent['data'][] | undefined
  /** Cache decrypted values only while this is the same object: seconds, never beyond an erasure. */
  cacheGeneration(): object
}

export const isEncrypted = (value: Json | undefined): value is Encrypted =>
  typeof value === 'object' && value !== null && 'sealed' in value && 'key' in value && Object.keys(value).length === 2

/** A plain loop, as it runs for every event read. */
export const encryptedFields = ({ data }: { data: { [field: string]: Json } }): [string, Encrypted][] => {
  const encrypted: [string, Encrypted][] = []
  for (const field in data) {
    const value = data[field]
    if (isEncrypted(value)) encrypted.push([field, value])
  }
  return encrypted
}

const fieldsOf = new Map(Object.entries(allEvents).map(([type, schema]) => [type, personalFields(schema)]))

const hasRule = (type: string): type is PersonalEventType => Object.hasOwn(subjectOf, type)

/** Texts of some twenty messages. */
const maxRecentlyEncrypted = 150

/** Binds a value to its field: moved, it cannot be decrypted. */
const contextOf = (subject: string, eventId: string, field: string) => `${subject}\n${eventId}\n${field}`

const noTexts = () => lruMap<string, { text: string; context: string }>(maxRecentlyEncrypted)

const textOf = (ciphertext: string, key: Uint8Array, context: string, texts: ReturnType<typeof noTexts>): string => {
  const known = texts.get(ciphertext)
  if (known?.context === context) return known.text
  return decrypt(key, Buffer.from(ciphertext, 'base64'), context).toString()
}

const decryptField = (
  { id, type, field, value }: { id: string; type: string; field: string; value: Encrypted },
  key: SubjectKey | 'erased' | undefined,
  texts: ReturnType<typeof noTexts>,
): Json => {
  if (!key)
    throw new Undecryptable(
      id,
      `the key ${value.key} of ${type}.${field} is missing: restore the table subject_key from a backup`,
    )
  if (key === 'erased') {
    const shown = fieldsOf.get(type)
    return shown?.has(field) ? (shown.get(field) as Json) : erasedText
  }
  try {
    return JSON.parse(textOf(value.sealed, key.key, contextOf(key.subject, id, field), texts))
  } catch (cause) {
    throw new Undecryptable(id, `${type}.${field} was changed or belongs to another event`, { cause })
  }
}

const keysOf = (encrypted: readonly [string, Encrypted][][]) => [...new Set(encrypted.flat().map(([, { key }]) => key))]

const subjectFor = (
  { type, stream, tenant, data }: EncryptedEvent & { tenant: string | null },
  fingerprint: SecretBox['fingerprint'],
): Subject | undefined => {
  if (!fieldsOf.get(type as EventType)?.size) return undefined
  if (!hasRule(type)) throw new Error(`${type} has personal fields and no subject`)
  const rule = subjectOf[type] as (
    event: { stream: string; tenant: string | null; data: AnyEvent['data'] },
    hash: SecretBox['fingerprint'],
  ) => Subject
  return rule({ stream, tenant, data: data as AnyEvent['data'] }, fingerprint)
}

export const personalEncryption = (
  keys: SubjectKeys,
  { fingerprint }: Pick<SecretBox, 'fingerprint'>,
): PersonalEncryption => {
  /** Consumers decrypt moments later what this process encrypted. */
  let recentlyEncrypted = { cacheGeneration: keys.cacheGeneration(), texts: noTexts() }
  const recentlyEncryptedNow = () => {
    const cacheGeneration = keys.cacheGeneration()
    if (recentlyEncrypted.cacheGeneration !== cacheGeneration) recentlyEncrypted = { cacheGeneration, texts: noTexts() }
    return recentlyEncrypted.texts
  }

  const decrypted = (
    events: readonly EncryptedEvent[],
    encrypted: readonly [string, Encrypted][][],
    found: ReadonlyMap<string, SubjectKey | 'erased'>,
  ) => {
    const texts = recentlyEncryptedNow()
    return events.map(({ id, type, data }, index) => {
      const fields = encrypted[index] ?? []
      if (fields.length === 0) return data
      const decrypted = { ...data }
      for (const [field, value] of fields)
        decrypted[field] = decryptField({ id, type, field, value }, found.get(value.key), texts)
      return decrypted
    })
  }

  return {
    cacheGeneration: keys.cacheGeneration,

    async encrypt(events) {
      const subjects = events.map((event) => subjectFor(event, fingerprint))
      const reasonSubjects = events.map(({ reason }) => reason?.subject)
      const found = await keys.toEncrypt([...subjects, ...reasonSubjects].filter((subject) => subject !== undefined))
      const texts = recentlyEncryptedNow()
      const encryptFor = (subject: Subject, id: string, field: string, value: Json): Encrypted => {
        const key = found.get(subject)
        if (!key) throw new Error('a subject has no key')
        const [text, context] = [JSON.stringify(value), contextOf(subject, id, field)]
        const ciphertext = encrypt(key.key, text, context).toString('base64')
        texts.set(ciphertext, { text, context })
        return { sealed: ciphertext, key: key.id }
      }
      return events.map(({ id, type, data, reason }, index) => {
        const subject = subjects[index]
        if (subject === undefined && reason === undefined) return data
        const encrypted = { ...data }
        for (const field of (subject && fieldsOf.get(type)?.keys()) ?? []) {
          const value = data[field]
          // An absent value is not personal.
          if (subject && value !== null && value !== undefined) encrypted[field] = encryptFor(subject, id, field, value)
        }
        if (reason) encrypted[reasonField] = encryptFor(reason.subject, id, reasonField, reason.text)
        return encrypted
      })
    },

    async decrypt(events) {
      const encrypted = events.map(encryptedFields)
      return decrypted(events, encrypted, await keys.toDecrypt(keysOf(encrypted)))
    },

    decryptCached(events) {
      const encrypted = events.map(encryptedFields)
      const found = keys.cached(keysOf(encrypted))
      return found && decrypted(events, encrypted, found)
    },
  }
}
