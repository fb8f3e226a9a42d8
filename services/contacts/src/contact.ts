import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactEvents } from '@prosa/contracts/events/contacts'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { maximumLabelsOfContact, maximumNotes } from '@prosa/contracts/values/lengths'
import { chosen, type KnownLine } from '@prosa/contracts/values/lines'
import { canonicalPhone } from '@prosa/contracts/values/phone'
import type { Decider } from '@prosa/kernel/domain/decider'

type Addresses = { phone: string | null; lid: string | null }

/** `partings` at look-up; may have grown. */
type LookedUp = { separations?: number }

/** Specification, 4. */
export type ConversationStatus = 'waiting' | 'attending' | 'resolved'

export type ContactCommand =
  /** `isTyped`: entered by a person, not reported by WhatsApp. */
  | { type: 'AddContact'; data: Addresses & LookedUp & { isTyped?: boolean } }
  | { type: 'ReceiveFromContact'; data: Addresses & LookedUp & { name: string | null } }
  | { type: 'NoteWriting'; data: Addresses & LookedUp }
  /** Adds no contact. */
  | { type: 'IdentifyContact'; data: Addresses & LookedUp }
  /** Null removes the name. */
  | { type: 'RenameContact'; data: { name: string | null } }
  | { type: 'WriteContactNote'; data: { noteId: string; text: string; attendantId: string } }
  | { type: 'RemoveContactNote'; data: { noteId: string } }
  /** `existing`: existing labels; others no longer count. */
  | { type: 'LabelContact'; data: { labelId: string; existing: readonly string[] } }
  | { type: 'UnlabelContact'; data: { labelId: string } }
  | { type: 'AcceptConversation'; data: { attendantId: string } }
  | { type: 'ResolveConversation'; data: { attendantId: string } }
  /** Also accepts a waiting conversation. */
  | { type: 'ReopenConversation'; data: { attendantId: string } }
  /** `isSo`: already the current line. */
  | { type: 'ChooseLine'; data: LineChoice & { isSo: boolean } }
  /** A person is needed, though nobody wrote. */
  | { type: 'WaitForPerson'; data: Record<never, never> }
  /** Flows start or send too often. */
  | { type: 'SuspectRobot'; data: Suspicion }
  /** Null: flows resumed for another reason. */
  | { type: 'ClearRobotSuspicion'; data: { attendantId: string | null } }
  | { type: 'EraseContact'; data: Record<never, never> }
  /** `into`: older contact of the same person. `from`: current survivor. */
  | { type: 'JoinContact'; data: { into: string; from: string | null } }
  /** The survivor's side: the joined contact's state at that moment. */
  | {
      type: 'MergeContact'
      data: Addresses & {
        absorbed: string
        name: string | null
        givenName?: string | null
        labels?: readonly string[]
        status: ConversationStatus
        attendantId: string | null
      }
    }
  /** `restored` turned out to be somebody else. */
  | { type: 'SeparateContact'; data: Addresses & { restored: string } }
  | { type: 'RestoreContact'; data: { from: string } }
  /** Reported with the LID of contact `to`. */
  | { type: 'PassNumberOn'; data: { phone: string; to: string } }
  /** Counterpart of `PassNumberOn`. */
  | { type: 'TakeNumberOver'; data: { from: string } }

export type ContactEvent = EventOf<typeof contactEvents>
type Suspicion = Extract<ContactEvent, { type: 'RobotSuspected' }>['data']
type LineChoice = Extract<ContactEvent, { type: 'LineChosen' }>['data']

export type ContactRefusal =
  | 'contact_not_found'
  | 'contact_note_not_found'
  | 'too_many_notes'
  | 'too_many_labels_on_contact'
  | 'conversation_not_attending'
  | 'contacts_not_merged'

export interface Contact extends Addresses {
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

const nobody: Contact = {
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

/** Keeps commands fast despite many notes. */
const maxRemovedNotes = 200

/** Appended last, for eviction. */
const withRemoved = (notes: Contact['notes'], noteId: string): Contact['notes'] => {
  const others = Object.entries(notes).filter(([id]) => id !== noteId)
  const removed = others.filter(([, exists]) => !exists)
  const [oldest] = (removed.length >= maxRemovedNotes && removed[0]) || []
  return { ...Object.fromEntries(others.filter(([id]) => id !== oldest)), [noteId]: false }
}

/** Added, and neither absorbed nor erased. */
export const isActive = (known: Contact): known is Contact & { status: ConversationStatus } =>
  known.status === 'waiting' || known.status === 'attending' || known.status === 'resolved'

const identifiedAs = (known: Addresses, { phone, lid }: Addresses): ContactEvent[] =>
  phone === known.phone && lid === known.lid ? [] : [{ type: 'ContactIdentified', data: { phone, lid } }]

/** Overrides known addresses. */
const identified = (known: Contact, found: Addresses): ContactEvent[] =>
  identifiedAs(known, { phone: found.phone ?? known.phone, lid: found.lid ?? known.lid })

/** Only fills gaps. */
const completed = (known: Contact, found: Addresses): ContactEvent[] =>
  identifiedAs(known, { phone: known.phone ?? found.phone, lid: known.lid ?? found.lid })

/** The more active status wins: attending, then waiting. */
const mergedStatus = (
  known: ConversationStatus,
  other: ConversationStatus,
  attendantId: string | null,
): ContactEvent[] => {
  if (other === 'resolved' || known === 'attending') return []
  const reopened: ContactEvent[] = known === 'resolved' ? [{ type: 'ConversationReopened', data: {} }] : []
  if (other === 'waiting' || attendantId === null) return reopened
  return [...reopened, { type: 'ConversationAccepted', data: { attendantId } }]
}

/** Counts addresses lost by separation or passed numbers. */
export const partings = ({ separated, passedOn }: Contact): number => separated.length + passedOn

const mayBeAnothers = (known: Contact, { separations }: LookedUp) =>
  separations !== undefined && separations !== partings(known)

const reopened = ({ status }: Contact): ContactEvent[] =>
  status === 'resolved' ? [{ type: 'ConversationReopened', data: {} }] : []

const notFound = { rejected: 'contact_not_found' } as const

const without = (ids: readonly string[], id: string) => ids.filter((each) => each !== id)

/**
 * Specification, 4: waiting → attending → resolved, and back on input. Erased contacts accept nothing: the person becomes a new contact.
 * Absorbed ones do not change until restored.
 */
export const contact: Decider<ContactCommand, ContactEvent, Contact, ContactRefusal> = {
  initial: nobody,
  saving: { decider: 'contact', version: 4, subject: ({ id }) => contactSubject(id) },

  decide: {
    AddContact: (known, { phone, lid, isTyped = false, separations }) => {
      if (known.status === 'absent')
        return [{ type: 'ContactAdded', data: { phone, lid, name: null, origin: 'attendant' } }]
      if (!isActive(known) || mayBeAnothers(known, { separations })) return notFound
      return isTyped ? completed(known, { phone, lid }) : identified(known, { phone, lid })
    },
    ReceiveFromContact: (known, { phone, lid, name, separations }) => {
      if (known.status === 'absent') return [{ type: 'ContactAdded', data: { phone, lid, name, origin: 'message' } }]
      if (!isActive(known) || mayBeAnothers(known, { separations })) return notFound
      const events = identified(known, { phone, lid })
      if (name && name !== known.name) events.push({ type: 'ContactNamed', data: { name } })
      return [...events, ...reopened(known)]
    },
    NoteWriting: (known, { phone, lid, separations }) => {
      if (known.status === 'absent')
        return [{ type: 'ContactAdded', data: { phone, lid, name: null, origin: 'phone' } }]
      if (!isActive(known) || mayBeAnothers(known, { separations })) return notFound
      return identified(known, { phone, lid })
    },
    IdentifyContact: (known, { phone, lid, separations }) => {
      if (!isActive(known) || mayBeAnothers(known, { separations })) return notFound
      return identified(known, { phone, lid })
    },
    RenameContact: (known, { name }) => {
      if (!isActive(known)) return notFound
      return name === known.givenName ? [] : [{ type: 'ContactRenamed', data: { name } }]
    },
    WriteContactNote: (known, data) => {
      if (!isActive(known)) return notFound
      if (data.noteId in known.notes) return []
      const existing = Object.values(known.notes).filter(Boolean).length
      return existing >= maximumNotes ? { rejected: 'too_many_notes' } : [{ type: 'ContactNoteWritten', data }]
    },
    // Removed in the absorbed contact's stream.
    RemoveContactNote: (known, data) => {
      if (!isActive(known) && known.status !== 'absorbed') return notFound
      const exists = known.notes[data.noteId]
      if (exists === undefined) return { rejected: 'contact_note_not_found' }
      return exists ? [{ type: 'ContactNoteRemoved', data }] : []
    },
    LabelContact: (known, { labelId, existing }) => {
      if (!isActive(known)) return notFound
      if (known.labels.includes(labelId)) return []
      const shown = known.labels.filter((each) => existing.includes(each)).length
      if (shown >= maximumLabelsOfContact) return { rejected: 'too_many_labels_on_contact' }
      return [{ type: 'ContactLabelled', data: { labelId } }]
    },
    UnlabelContact: (known, { labelId }) => {
      if (!isActive(known)) return notFound
      return known.labels.includes(labelId) ? [{ type: 'ContactUnlabelled', data: { labelId } }] : []
    },
    AcceptConversation: (known, { attendantId }) => {
      if (!isActive(known)) return notFound
      if (known.status !== 'waiting') return []
      return [{ type: 'ConversationAccepted', data: { attendantId } }]
    },
    ResolveConversation: (known, { attendantId }) => {
      if (!isActive(known)) return notFound
      if (known.status === 'resolved') return []
      if (known.status !== 'attending') return { rejected: 'conversation_not_attending' }
      return [{ type: 'ConversationResolved', data: { attendantId } }]
    },
    ReopenConversation: (known, { attendantId }) => {
      if (!isActive(known)) return notFound
      if (known.status === 'attending') return []
      const type = known.status === 'resolved' ? 'ConversationResumed' : 'ConversationAccepted'
      return [{ type, data: { attendantId } }]
    },
    ChooseLine: (known, { isSo, ...choice }) => {
      if (!isActive(known)) return notFound
      return isSo ? [] : [{ type: 'LineChosen', data: choice }]
    },
    WaitForPerson: (known) => (isActive(known) ? reopened(known) : notFound),
    SuspectRobot: (known, data) => {
      if (!isActive(known)) return notFound
      return known.isSuspected ? [] : [{ type: 'RobotSuspected', data }, ...reopened(known)]
    },
    ClearRobotSuspicion: (known, data) => {
      if (!isActive(known)) return notFound
      return known.isSuspected ? [{ type: 'RobotSuspicionCleared', data }] : []
    },
    EraseContact: ({ status }) => {
      if (status === 'absent') return notFound
      return status === 'erased' ? [] : [{ type: 'ContactErased', data: {} }]
    },

    JoinContact: (known, { into, from }) => {
      if (known.status === 'absorbed' && known.into === into) return []
      const survivor = known.status === 'absorbed' ? known.into : isActive(known) ? null : undefined
      if (survivor !== from || known.separated.includes(into)) return notFound
      return [{ type: 'ContactAbsorbed', data: { into } }]
    },
    MergeContact: (known, { absorbed, name, givenName, labels = [], status, attendantId, ...addresses }) => {
      if (!isActive(known)) return notFound
      if (known.absorbed.includes(absorbed) || known.separated.includes(absorbed)) return []
      return [
        { type: 'ContactMerged', data: { absorbed } },
        ...completed(known, addresses),
        ...(name && !known.name ? [{ type: 'ContactNamed' as const, data: { name } }] : []),
        ...(givenName && !known.givenName ? [{ type: 'ContactRenamed' as const, data: { name: givenName } }] : []),
        // A merge keeps all labels, even beyond the limit.
        ...labels
          .filter((labelId) => !known.labels.includes(labelId))
          .map((labelId) => ({ type: 'ContactLabelled' as const, data: { labelId } })),
        ...mergedStatus(known.status, status, attendantId),
      ]
    },
    SeparateContact: (known, { restored, ...left }) => {
      if (!isActive(known)) return notFound
      if (known.separated.includes(restored)) return []
      if (!known.absorbed.includes(restored)) return { rejected: 'contacts_not_merged' }
      return [{ type: 'ContactSeparated', data: { restored } }, ...identifiedAs(known, left)]
    },
    RestoreContact: (known, { from }) =>
      known.status === 'absorbed' && known.into === from ? [{ type: 'ContactRestored', data: { from } }] : [],

    PassNumberOn: (known, { phone, to }) => {
      if (!isActive(known)) return notFound
      if (known.phone === null || canonicalPhone(known.phone) !== canonicalPhone(phone)) return []
      return [{ type: 'ContactNumberPassedOn', data: { to } }]
    },
    TakeNumberOver: (known, { from }) => {
      if (!isActive(known)) return notFound
      return known.takenFrom.includes(from) ? [] : [{ type: 'ContactNumberTakenOver', data: { from } }]
    },
  },

  evolve: {
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
  },
}
