import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import { type PersonalEventType, type Subject, subjectOf } from '@prosa/contracts/events/subjects'
import { erasedText, personalFields } from '@prosa/contracts/values/personal'
import type { Json } from '../json.ts'
import { lruMap } from '../lru-map.ts'
import { lock, unlock } from './aes-gcm.ts'
import { type Locked, reasonField } from './locked-reason.ts'
import type { SecretBox } from './secret-box.ts'
import type { SubjectKey, SubjectKeys } from './subject-keys.ts'

/** No erasure is the cause: the key is lost, or the value was moved. */
export class LockedForGood extends Error {
  override name = 'LockedForGood'
  readonly eventId: string

  constructor(eventId: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.eventId = eventId
  }
}

export interface LockedEvent {
  id: string
  stream: string
  type: string
  data: { [field: string]: Json }
}

export interface EventToLock extends LockedEvent {
  owner: string | null
  reason?: { text: string; subject: Subject }
}

export interface PersonalLock {
  /** Keeps the order; a reason becomes `reasonField`. */
  lock(events: readonly EventToLock[]): Promise<LockedEvent['data'][]>
  /** Erased fields get the contract's replacement. Throws `LockedForGood`. */
  unlock(events: readonly LockedEvent[]): Promise<LockedEvent['data'][]>
  /** Does not wait; undefined where a key is not cached. */
  unlockAtOnce(events: readonly LockedEvent[]): LockedEvent['data'][] | undefined
  /** Cache decrypted values only while this is the same object: seconds, never beyond an erasure. */
  era(): object
}

export const isLocked = (value: Json | undefined): value is Locked =>
  typeof value === 'object' && value !== null && 'sealed' in value && 'key' in value && Object.keys(value).length === 2

/** A plain loop, as it runs for every event read. */
export const lockedFields = ({ data }: { data: { [field: string]: Json } }): [string, Locked][] => {
  const locked: [string, Locked][] = []
  for (const field in data) {
    const value = data[field]
    if (isLocked(value)) locked.push([field, value])
  }
  return locked
}

const fieldsOf = new Map(Object.entries(allEvents).map(([type, schema]) => [type, personalFields(schema)]))

const hasRule = (type: string): type is PersonalEventType => Object.hasOwn(subjectOf, type)

/** Texts of some twenty messages. */
const maxJustLocked = 150

/** Binds a value to its field: moved, it cannot be decrypted. */
const place = (subject: string, eventId: string, field: string) => `${subject}\n${eventId}\n${field}`

export const personalLock = (keys: SubjectKeys, { fingerprint }: Pick<SecretBox, 'fingerprint'>): PersonalLock => {
  const subjectFor = ({ type, stream, owner, data }: LockedEvent & { owner: string | null }): Subject | undefined => {
    if (!fieldsOf.get(type as EventType)?.size) return undefined
    if (!hasRule(type)) throw new Error(`${type} has personal fields and no subject`)
    const rule = subjectOf[type] as (
      event: { stream: string; owner: string | null; data: AnyEvent['data'] },
      hash: SecretBox['fingerprint'],
    ) => Subject
    return rule({ stream, owner, data: data as AnyEvent['data'] }, fingerprint)
  }

  const noTexts = () => lruMap<string, { text: string; place: string }>(maxJustLocked)
  /** Consumers decrypt moments later what this process encrypted. */
  let justLocked = { era: keys.era(), texts: noTexts() }
  const justLockedNow = () => {
    const era = keys.era()
    if (justLocked.era !== era) justLocked = { era, texts: noTexts() }
    return justLocked.texts
  }

  const keysOf = (locked: readonly [string, Locked][][]) => [...new Set(locked.flat().map(([, { key }]) => key))]

  const opened = (
    events: readonly LockedEvent[],
    locked: readonly [string, Locked][][],
    found: ReadonlyMap<string, SubjectKey | 'erased'>,
  ) => {
    const texts = justLockedNow()
    return events.map(({ id, type, data }, index) => {
      const fields = locked[index] ?? []
      if (fields.length === 0) return data
      const opened = { ...data }
      for (const [field, { sealed, key: keyId }] of fields) {
        const key = found.get(keyId)
        if (!key)
          throw new LockedForGood(
            id,
            `the key ${keyId} of ${type}.${field} is missing: restore the table subject_key from a backup`,
          )
        if (key === 'erased') {
          const shown = fieldsOf.get(type)
          opened[field] = shown?.has(field) ? (shown.get(field) as Json) : erasedText
          continue
        }
        try {
          const at = place(key.subject, id, field)
          const known = texts.get(sealed)
          const text = known?.place === at ? known.text : unlock(key.key, Buffer.from(sealed, 'base64'), at).toString()
          opened[field] = JSON.parse(text)
        } catch (cause) {
          throw new LockedForGood(id, `${type}.${field} was changed or belongs to another event`, { cause })
        }
      }
      return opened
    })
  }

  return {
    era: keys.era,

    async lock(events) {
      const subjects = events.map(subjectFor)
      const reasonSubjects = events.map(({ reason }) => reason?.subject)
      const found = await keys.toLock([...subjects, ...reasonSubjects].filter((subject) => subject !== undefined))
      const texts = justLockedNow()
      const lockedFor = (subject: Subject, id: string, field: string, value: Json): Locked => {
        const key = found.get(subject)
        if (!key) throw new Error('a subject was left without a key')
        const [text, at] = [JSON.stringify(value), place(subject, id, field)]
        const sealed = lock(key.key, text, at).toString('base64')
        texts.set(sealed, { text, place: at })
        return { sealed, key: key.id }
      }
      return events.map(({ id, type, data, reason }, index) => {
        const subject = subjects[index]
        if (subject === undefined && reason === undefined) return data
        const locked = { ...data }
        for (const field of (subject && fieldsOf.get(type)?.keys()) ?? []) {
          const value = data[field]
          // An absent value is not personal.
          if (subject && value !== null && value !== undefined) locked[field] = lockedFor(subject, id, field, value)
        }
        if (reason) locked[reasonField] = lockedFor(reason.subject, id, reasonField, reason.text)
        return locked
      })
    },

    async unlock(events) {
      const locked = events.map(lockedFields)
      return opened(events, locked, await keys.toUnlock(keysOf(locked)))
    },

    unlockAtOnce(events) {
      const locked = events.map(lockedFields)
      const found = keys.atHand(keysOf(locked))
      return found && opened(events, locked, found)
    },
  }
}
