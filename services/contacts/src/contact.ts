import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactEvents } from '@prosa/contracts/events/contacts'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { maximumLabelsOfContact, maximumNotes } from '@prosa/contracts/values/lengths'
import { chosen, type KnownLine } from '@prosa/contracts/values/lines'
import { canonicalPhone } from '@prosa/contracts/values/phone'
import type { Decider } from '@prosa/kernel/domain/decider'

type Addresses = { phone: string | null; lid: string | null }

/** How often addresses of its had become somebody else's (`partings`) when they were looked up: since then more may have. */
type LookedUp = { separations?: number }

/** Whose turn it is (specification, 4). */
export type Turn = 'waiting' | 'attending' | 'resolved'

export type ContactCommand =
  /** `isTyped`: the number is as a person wrote it, not as WhatsApp reports it. */
  | { type: 'AddContact'; data: Addresses & LookedUp & { isTyped?: boolean } }
  /** They wrote. Ids of stored events follow from this type: it stays. */
  | { type: 'ReceiveFromContact'; data: Addresses & LookedUp & { name: string | null } }
  | { type: 'NoteWriting'; data: Addresses & LookedUp }
  /** WhatsApp answered whose the number is. Nobody becomes a contact by it. */
  | { type: 'IdentifyContact'; data: Addresses & LookedUp }
  /** `name` null takes it back. */
  | { type: 'RenameContact'; data: { name: string | null } }
  | { type: 'WriteContactNote'; data: { noteId: string; text: string; attendantId: string } }
  | { type: 'RemoveContactNote'; data: { noteId: string } }
  /** `standing` are the ids of the subscriber's labels that were not deleted: the others count no more. */
  | { type: 'LabelContact'; data: { labelId: string; standing: readonly string[] } }
  | { type: 'UnlabelContact'; data: { labelId: string } }
  | { type: 'AcceptConversation'; data: { attendantId: string } }
  | { type: 'ResolveConversation'; data: { attendantId: string } }
  /** Attended by this attendant, whether it is resolved or waits again by now. */
  | { type: 'ReopenConversation'; data: { attendantId: string } }
  /** `isSo`: answers leave over it already. */
  | { type: 'ChooseLine'; data: LineChoice & { isSo: boolean } }
  /** A person is wanted, though nobody wrote: the conversation waits. */
  | { type: 'WaitForPerson'; data: Record<never, never> }
  /** Flows start or speak too often with the contact. */
  | { type: 'SuspectRobot'; data: Suspicion }
  /** `attendantId` null: flows go on for another reason. */
  | { type: 'ClearRobotSuspicion'; data: { attendantId: string | null } }
  | { type: 'EraseContact'; data: Record<never, never> }
  /** This contact is the same person as `into`, an older one. `from`: behind whom it stands already, null for itself. */
  | { type: 'JoinContact'; data: { into: string; from: string | null } }
  /** The other side of it: what the contact that joined was in that moment. */
  | {
      type: 'MergeContact'
      data: Addresses & {
        absorbed: string
        name: string | null
        givenName?: string | null
        labels?: readonly string[]
        turn: Turn
        attendantId: string | null
      }
    }
  /** `restored` is somebody else; these addresses are left. */
  | { type: 'SeparateContact'; data: Addresses & { restored: string } }
  | { type: 'RestoreContact'; data: { from: string } }
  /** The number is reported with another account's LID, of the contact `to`. */
  | { type: 'PassNumberOn'; data: { phone: string; to: string } }
  /** The other side of it. */
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
  status: 'absent' | Turn | 'absorbed' | 'erased'
  name: string | null
  /** What the business calls the person. */
  givenName: string | null
  /** The ids of its notes: true while one stands, false of those that were removed last. */
  notes: Readonly<Record<string, boolean>>
  /** The labels that were put on it, also those that were deleted since. */
  labels: readonly string[]
  attendantId: string | null
  /** The connections that attendants chose for answers, the latest last. */
  lines: readonly KnownLine[]
  /** Flows pause with it, until somebody finishes the conversation or says that it is no robot. */
  isSuspected: boolean
  /** Behind whom it stands, also once erased. */
  into: string | null
  /** Whose turn it was when it was absorbed. */
  turn: Turn | null
  /** Who stands behind it. */
  absorbed: readonly string[]
  /** Who was merged with it and separated again: never merged again by itself. */
  separated: readonly string[]
  /** Behind whom it stood until it was restored; all of them are among `separated` too. */
  restoredFrom: readonly string[]
  /** How many numbers it had that are another account's by now. */
  passedOn: number
  /** Whose number it has taken over. */
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

/** So many removed notes are known. Whoever writes and removes notes all day must not make each command dearer than the one before. */
const maxRemovedNotes = 200

/** With a note that was removed, behind all others. */
const withRemoved = (notes: Contact['notes'], noteId: string): Contact['notes'] => {
  const others = Object.entries(notes).filter(([id]) => id !== noteId)
  const removed = others.filter(([, stands]) => !stands)
  const [oldest] = (removed.length >= maxRemovedNotes && removed[0]) || []
  return { ...Object.fromEntries(others.filter(([id]) => id !== oldest)), [noteId]: false }
}

/** Whether there is anybody to speak of: not before being added, not while another contact goes on for it, not once erased. */
export const isThere = (known: Contact): known is Contact & { status: Turn } =>
  known.status === 'waiting' || known.status === 'attending' || known.status === 'resolved'

const identifiedAs = (known: Addresses, { phone, lid }: Addresses): ContactEvent[] =>
  phone === known.phone && lid === known.lid ? [] : [{ type: 'ContactIdentified', data: { phone, lid } }]

/** An address of a known person that was not known yet, or not in this form. */
const identified = (known: Contact, found: Addresses): ContactEvent[] =>
  identifiedAs(known, { phone: found.phone ?? known.phone, lid: found.lid ?? known.lid })

/** What may fill a gap and changes nothing that is known. */
const completed = (known: Contact, found: Addresses): ContactEvent[] =>
  identifiedAs(known, { phone: known.phone ?? found.phone, lid: known.lid ?? found.lid })

/** The conversation that goes on stands as far as either of them: attended by whoever attends one, or else waiting. */
const furtherTurn = (known: Turn, turn: Turn, attendantId: string | null): ContactEvent[] => {
  if (turn === 'resolved' || known === 'attending') return []
  const reopened: ContactEvent[] = known === 'resolved' ? [{ type: 'ConversationReopened', data: {} }] : []
  if (turn === 'waiting' || attendantId === null) return reopened
  return [...reopened, { type: 'ConversationAccepted', data: { attendantId } }]
}

/** How often addresses of the contact became somebody else's: by separations, and with numbers that passed on. */
export const partings = ({ separated, passedOn }: Contact): number => separated.length + passedOn

const mayBeAnothers = (known: Contact, { separations }: LookedUp) =>
  separations !== undefined && separations !== partings(known)

/** A resolved conversation waits again. */
const reopened = ({ status }: Contact): ContactEvent[] =>
  status === 'resolved' ? [{ type: 'ConversationReopened', data: {} }] : []

const notFound = { rejected: 'contact_not_found' } as const

const without = (ids: readonly string[], id: string) => ids.filter((each) => each !== id)

/**
 * Who somebody is and whose turn it is (specification, 4): waiting → attending → resolved, and back when they write. An erased
 * contact takes nothing any more: the same person is another contact from then on. Of an absorbed one everything stands still
 * until it is restored.
 */
export const contact: Decider<ContactCommand, ContactEvent, Contact, ContactRefusal> = {
  initial: nobody,
  saving: { decider: 'contact', version: 4, subject: ({ id }) => contactSubject(id) },

  decide: {
    AddContact: (known, { phone, lid, isTyped = false, separations }) => {
      if (known.status === 'absent')
        return [{ type: 'ContactAdded', data: { phone, lid, name: null, origin: 'attendant' } }]
      if (!isThere(known) || mayBeAnothers(known, { separations })) return notFound
      return isTyped ? completed(known, { phone, lid }) : identified(known, { phone, lid })
    },
    ReceiveFromContact: (known, { phone, lid, name, separations }) => {
      if (known.status === 'absent') return [{ type: 'ContactAdded', data: { phone, lid, name, origin: 'message' } }]
      if (!isThere(known) || mayBeAnothers(known, { separations })) return notFound
      const events = identified(known, { phone, lid })
      if (name && name !== known.name) events.push({ type: 'ContactNamed', data: { name } })
      return [...events, ...reopened(known)]
    },
    NoteWriting: (known, { phone, lid, separations }) => {
      if (known.status === 'absent')
        return [{ type: 'ContactAdded', data: { phone, lid, name: null, origin: 'phone' } }]
      if (!isThere(known) || mayBeAnothers(known, { separations })) return notFound
      return identified(known, { phone, lid })
    },
    IdentifyContact: (known, { phone, lid, separations }) => {
      if (!isThere(known) || mayBeAnothers(known, { separations })) return notFound
      return identified(known, { phone, lid })
    },
    RenameContact: (known, { name }) => {
      if (!isThere(known)) return notFound
      return name === known.givenName ? [] : [{ type: 'ContactRenamed', data: { name } }]
    },
    WriteContactNote: (known, data) => {
      if (!isThere(known)) return notFound
      if (data.noteId in known.notes) return []
      const standing = Object.values(known.notes).filter(Boolean).length
      return standing >= maximumNotes ? { rejected: 'too_many_notes' } : [{ type: 'ContactNoteWritten', data }]
    },
    // A note of an absorbed contact is removed where it was written.
    RemoveContactNote: (known, data) => {
      if (!isThere(known) && known.status !== 'absorbed') return notFound
      const stands = known.notes[data.noteId]
      if (stands === undefined) return { rejected: 'contact_note_not_found' }
      return stands ? [{ type: 'ContactNoteRemoved', data }] : []
    },
    LabelContact: (known, { labelId, standing }) => {
      if (!isThere(known)) return notFound
      if (known.labels.includes(labelId)) return []
      const shown = known.labels.filter((each) => standing.includes(each)).length
      if (shown >= maximumLabelsOfContact) return { rejected: 'too_many_labels_on_contact' }
      return [{ type: 'ContactLabelled', data: { labelId } }]
    },
    UnlabelContact: (known, { labelId }) => {
      if (!isThere(known)) return notFound
      return known.labels.includes(labelId) ? [{ type: 'ContactUnlabelled', data: { labelId } }] : []
    },
    AcceptConversation: (known, { attendantId }) => {
      if (!isThere(known)) return notFound
      if (known.status !== 'waiting') return []
      return [{ type: 'ConversationAccepted', data: { attendantId } }]
    },
    ResolveConversation: (known, { attendantId }) => {
      if (!isThere(known)) return notFound
      if (known.status === 'resolved') return []
      if (known.status !== 'attending') return { rejected: 'conversation_not_attending' }
      return [{ type: 'ConversationResolved', data: { attendantId } }]
    },
    ReopenConversation: (known, { attendantId }) => {
      if (!isThere(known)) return notFound
      if (known.status === 'attending') return []
      const type = known.status === 'resolved' ? 'ConversationResumed' : 'ConversationAccepted'
      return [{ type, data: { attendantId } }]
    },
    ChooseLine: (known, { isSo, ...choice }) => {
      if (!isThere(known)) return notFound
      return isSo ? [] : [{ type: 'LineChosen', data: choice }]
    },
    WaitForPerson: (known) => (isThere(known) ? reopened(known) : notFound),
    SuspectRobot: (known, data) => {
      if (!isThere(known)) return notFound
      return known.isSuspected ? [] : [{ type: 'RobotSuspected', data }, ...reopened(known)]
    },
    ClearRobotSuspicion: (known, data) => {
      if (!isThere(known)) return notFound
      return known.isSuspected ? [{ type: 'RobotSuspicionCleared', data }] : []
    },
    EraseContact: ({ status }) => {
      if (status === 'absent') return notFound
      return status === 'erased' ? [] : [{ type: 'ContactErased', data: {} }]
    },

    JoinContact: (known, { into, from }) => {
      if (known.status === 'absorbed' && known.into === into) return []
      const stands = known.status === 'absorbed' ? known.into : isThere(known) ? null : undefined
      if (stands !== from || known.separated.includes(into)) return notFound
      return [{ type: 'ContactAbsorbed', data: { into } }]
    },
    MergeContact: (known, { absorbed, name, givenName, labels = [], turn, attendantId, ...addresses }) => {
      if (!isThere(known)) return notFound
      if (known.absorbed.includes(absorbed) || known.separated.includes(absorbed)) return []
      return [
        { type: 'ContactMerged', data: { absorbed } },
        ...completed(known, addresses),
        ...(name && !known.name ? [{ type: 'ContactNamed' as const, data: { name } }] : []),
        ...(givenName && !known.givenName ? [{ type: 'ContactRenamed' as const, data: { name: givenName } }] : []),
        // One person has the labels of both, also more than an attendant could put on.
        ...labels
          .filter((labelId) => !known.labels.includes(labelId))
          .map((labelId) => ({ type: 'ContactLabelled' as const, data: { labelId } })),
        ...furtherTurn(known.status, turn, attendantId),
      ]
    },
    SeparateContact: (known, { restored, ...left }) => {
      if (!isThere(known)) return notFound
      if (known.separated.includes(restored)) return []
      if (!known.absorbed.includes(restored)) return { rejected: 'contacts_not_merged' }
      return [{ type: 'ContactSeparated', data: { restored } }, ...identifiedAs(known, left)]
    },
    RestoreContact: (known, { from }) =>
      known.status === 'absorbed' && known.into === from ? [{ type: 'ContactRestored', data: { from } }] : [],

    PassNumberOn: (known, { phone, to }) => {
      if (!isThere(known)) return notFound
      if (known.phone === null || canonicalPhone(known.phone) !== canonicalPhone(phone)) return []
      return [{ type: 'ContactNumberPassedOn', data: { to } }]
    },
    TakeNumberOver: (known, { from }) => {
      if (!isThere(known)) return notFound
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
      turn: isThere(state) ? state.status : state.turn,
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
      // Who stood behind it has moved on behind whom it stood.
      absorbed: [],
      separated: [...state.separated, from],
      restoredFrom: [...state.restoredFrom, from],
    }),
    ContactNumberPassedOn: (state) => ({ ...state, phone: null, passedOn: state.passedOn + 1 }),
    ContactNumberTakenOver: (state, { from }) => ({ ...state, takenFrom: [...state.takenFrom, from] }),
    ContactErased: ({ into, absorbed }) => ({ ...nobody, status: 'erased', into, absorbed }),
  },
}
