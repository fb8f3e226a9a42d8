import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactEvents } from '@prosa/contracts/events/contacts'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { chosen, type KnownLine } from '@prosa/contracts/values/lines'
import type { Decider } from '@prosa/kernel/domain/decider'

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
  /** By field id, includes fields deleted since. */
  fields: Readonly<Record<string, { type: AnswerType; value: string }>>
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
  fields: {},
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

export type ContactEvent = EventOf<typeof contactEvents>
type FieldSet = Extract<ContactEvent, { type: 'ContactFieldSet' }>['data']

/** Keeps commands fast despite many notes. */
const maxRemovedNotes = 200

/** Appended last, for eviction. */
const withRemoved = (notes: Contact['notes'], noteId: string): Contact['notes'] => {
  const others = Object.entries(notes).filter(([id]) => id !== noteId)
  const removed = others.filter(([, exists]) => !exists)
  const [oldest] = (removed.length >= maxRemovedNotes && removed[0]) || []
  return { ...Object.fromEntries(others.filter(([id]) => id !== oldest)), [noteId]: false }
}

const withField = (fields: Contact['fields'], { fieldId, type, value }: FieldSet): Contact['fields'] => {
  const { [fieldId]: _, ...others } = fields
  return value === null ? others : { ...others, [fieldId]: { type, value } }
}

const without = (ids: readonly string[], id: string) => ids.filter((each) => each !== id)

export const evolveContact: Decider<never, ContactEvent, Contact, never>['evolve'] = {
  ContactAdded: (state, { phone, lid, name, origin }) => ({
    ...state,
    status: origin === 'phone' ? 'resolved' : 'waiting',
    phone,
    lid,
    name,
  }),
  ContactIdentified: (state, { phone, lid }) => ({ ...state, phone, lid }),
  ContactNamed: (state, { name }) => ({ ...state, name }),
  ContactRenamed: (state, { name }) => ({ ...state, givenName: name }),
  ContactNoteWritten: (state, { noteId }) => ({ ...state, notes: { ...state.notes, [noteId]: true } }),
  ContactNoteRemoved: (state, { noteId }) => ({ ...state, notes: withRemoved(state.notes, noteId) }),
  ContactLabelled: (state, { labelId }) => ({ ...state, labels: [...without(state.labels, labelId), labelId] }),
  ContactUnlabelled: (state, { labelId }) => ({ ...state, labels: without(state.labels, labelId) }),
  ContactFieldSet: (state, set) => ({ ...state, fields: withField(state.fields, set) }),
  ConversationAccepted: (state, { attendantId }) => ({ ...state, status: 'attending', attendantId }),
  ConversationResolved: (state) => ({ ...state, status: 'resolved', attendantId: null, isSuspected: false }),
  ConversationReopened: (state) => ({ ...state, status: 'waiting', attendantId: null }),
  ConversationResumed: (state, { attendantId }) => ({ ...state, status: 'attending', attendantId }),
  LineChosen: (state, choice) => ({ ...state, lines: chosen(state.lines, choice) }),
  RobotSuspected: (state) => ({ ...state, isSuspected: true }),
  RobotSuspicionCleared: (state) => ({ ...state, isSuspected: false }),
  ContactAbsorbed: (state, { into }) => ({
    ...state,
    status: 'absorbed',
    into,
    turn: isActive(state) ? state.status : state.turn,
  }),
  ContactMerged: (state, { absorbed }) => ({ ...state, absorbed: [...state.absorbed, absorbed] }),
  ContactSeparated: (state, { restored }) => ({
    ...state,
    absorbed: without(state.absorbed, restored),
    separated: [...state.separated, restored],
  }),
  ContactRestored: (state, { from }) => ({
    ...state,
    status: state.turn ?? 'waiting',
    turn: null,
    into: null,
    // Contacts absorbed by it moved to its survivor.
    absorbed: [],
    separated: [...state.separated, from],
    restoredFrom: [...state.restoredFrom, from],
  }),
  ContactNumberPassedOn: (state) => ({ ...state, phone: null, passedOn: state.passedOn + 1 }),
  ContactNumberTakenOver: (state, { from }) => ({ ...state, takenFrom: [...state.takenFrom, from] }),
  ContactErased: ({ into, absorbed }) => ({ ...nobody, status: 'erased', into, absorbed }),
}
