import type { EventType } from '@prosa/contracts/events/all-events'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Names } from '../sentences/sentence.ts'

/** What was written while a line was down. */
export interface MissedMessages {
  arrived: number
  /** Of them, files that only the phone has. */
  onPhone: number
  /** Counting stopped at a limit. */
  isPartial: boolean
}

export interface NextMessage {
  sentAt: Instant
  connectionId: string | null
}

/** What a rule reads beside its event; all of it from before the event, but for messages that it led to. */
export interface Facts {
  /** In the order of the log. */
  earlier(stream: string): readonly Stored[]
  nextMessage: NextMessage | undefined
  missed: MissedMessages | undefined
}

export interface Rule<T extends EventType> {
  /** The events just before it in its own stream suffice. */
  fromRecent?: true
  /** Read whole, up to the event; without a rule where one of them is too long. */
  streams?: (event: StoredOf<T>) => readonly string[]
  /** Portuguese, a clause without full stop; null where the sentence says it all. */
  words: (event: StoredOf<T>, facts: Facts, names: Names) => string | null
}

/** Types without a rule follow from nothing but the wish of whoever acted. */
export type Rules<T extends PropertyKey> = { [K in T & EventType]?: Rule<K> }

export const always =
  (words: string): (() => string) =>
  () =>
    words
