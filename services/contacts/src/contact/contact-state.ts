import type { KnownLine } from '@prosa/contracts/values/lines'

export type ContactAddresses = { phone: string | null; lid: string | null }

/** Specification, 4. */
export type ConversationStatus = 'waiting' | 'attending' | 'resolved'

export interface Contact extends ContactAddresses {
  status: 'absent' | ConversationStatus | 'absorbed' | 'erased'
  name: string | null
  /** Given by the business. */
  givenName: string | null
  /** By note id: true if it exists, false if recently removed. */
  notes: Readonly<Record<string, boolean>>
  /** Includes labels deleted since. */
  labels: readonly string[]
  attendantId: string | null
  /** Chosen by attendants, latest last. */
  lines: readonly KnownLine[]
  /** Until the conversation is finished or a person clears it. */
  isSuspected: boolean
  /** The survivor, even after erasure. */
  into: string | null
  /** The status before the merge. */
  turn: ConversationStatus | null
  /** Contacts merged into this one. */
  absorbed: readonly string[]
  /** Merged before; never merged automatically again. */
  separated: readonly string[]
  /** Former survivors, a subset of `separated`. */
  restoredFrom: readonly string[]
  /** Counts numbers that passed to another account. */
  passedOn: number
  /** Contacts whose numbers it took over. */
  takenFrom: readonly string[]
}

export const nobody: Contact = {
  status: 'absent',
  phone: null,
  lid: null,
  name: null,
  givenName: null,
  notes: {},
  labels: [],
  attendantId: null,
  lines: [],
  isSuspected: false,
  into: null,
  turn: null,
  absorbed: [],
  separated: [],
  restoredFrom: [],
  passedOn: 0,
  takenFrom: [],
}

/** Added, and neither absorbed nor erased. */
export const isActive = (known: Contact): known is Contact & { status: ConversationStatus } =>
  known.status === 'waiting' || known.status === 'attending' || known.status === 'resolved'

/** Counts addresses lost by separation or passed numbers. */
export const partings = ({ separated, passedOn }: Contact): number => separated.length + passedOn
