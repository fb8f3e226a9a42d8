import { contactSubject } from '@prosa/contracts/events/subjects'
import { maximumLabelsOfContact, maximumNotes } from '@prosa/contracts/values/lengths'
import { canonicalPhone } from '@prosa/contracts/values/phone'
import type { Decider } from '@prosa/kernel/domain/decider'
import type { ContactCommand, ContactRefusal, LookedUp } from './contact-commands.ts'
import {
  type ContactAddresses as Addresses,
  type Contact,
  type ContactEvent,
  type ConversationStatus,
  evolveContact,
  isActive,
  nobody,
  partings,
} from './contact-state.ts'

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

type MergedData = Extract<ContactCommand, { type: 'MergeContact' }>['data']

const mayBeAnothers = (known: Contact, { separations }: LookedUp) =>
  separations !== undefined && separations !== partings(known)

const reopened = ({ status }: Contact): ContactEvent[] =>
  status === 'resolved' ? [{ type: 'ConversationReopened', data: {} }] : []

/** `wasTaken`: by an earlier survivor, where labels and values may be removed since. */
export const mergedFrom = (known: Contact, wasTaken: boolean): Omit<MergedData, 'absorbed'> => {
  const { phone, lid, name, givenName, attendantId, labels, fields, turn } = known
  return {
    ...{ phone, lid, name, givenName, attendantId },
    labels: wasTaken ? [] : labels,
    fields: wasTaken ? {} : fields,
    status: wasTaken ? 'resolved' : (turn ?? 'resolved'),
  }
}

const notFound = { rejected: 'contact_not_found' } as const

/**
 * Specification, 4: waiting → attending → resolved, and back on input. Erased contacts accept nothing: the person becomes a new contact.
 * Absorbed ones do not change until restored.
 */
export const contact: Decider<ContactCommand, ContactEvent, Contact, ContactRefusal> = {
  initial: nobody,
  saving: { decider: 'contact', version: 5, subject: ({ id }) => contactSubject(id) },

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
    SetContactField: (known, data) => {
      if (!isActive(known)) return notFound
      const { value = null } = known.fields[data.fieldId] ?? {}
      return value === data.value ? [] : [{ type: 'ContactFieldSet', data }]
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
    FinishByFlow: (known, data) => {
      if (!isActive(known)) return notFound
      return known.status === 'waiting' ? [{ type: 'ConversationResolved', data }] : []
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
    MergeContact: (
      known,
      { absorbed, name, givenName, labels = [], fields = {}, status, attendantId, ...addresses },
    ) => {
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
        // The survivor's own values stay; a separation brings the others back.
        ...Object.entries(fields)
          .filter(([fieldId]) => !Object.hasOwn(known.fields, fieldId))
          .map(([fieldId, field]) => ({ type: 'ContactFieldSet' as const, data: { fieldId, ...field } })),
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

  evolve: evolveContact,
}
