import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactEvents } from '@prosa/contracts/events/contacts'
import type { Decider } from '@prosa/kernel/decider'

type Addresses = { phone: string | null; lid: string | null }

export type ContactCommand =
  | { type: 'AddContact'; data: Addresses }
  | { type: 'HearFromContact'; data: Addresses & { name: string | null } }
  | { type: 'NoteWriting'; data: Addresses }
  | { type: 'AcceptConversation'; data: { attendantId: string } }
  | { type: 'ResolveConversation'; data: { attendantId: string } }
  | { type: 'EraseContact'; data: Record<never, never> }

export type ContactEvent = EventOf<typeof contactEvents>

export type ContactRefusal = 'contact_not_found' | 'conversation_not_attending'

export interface Contact extends Addresses {
  status: 'absent' | 'waiting' | 'attending' | 'resolved' | 'erased'
  name: string | null
}

const nobody: Contact = { status: 'absent', phone: null, lid: null, name: null }

/** Whether there is anybody to speak of: not before being added, and not once erased. */
export const isThere = (known: Contact): known is Contact & { status: 'waiting' | 'attending' | 'resolved' } =>
  known.status !== 'absent' && known.status !== 'erased'

/** An address of a known person that was not known yet. */
const identified = (known: Contact, told: Addresses): ContactEvent[] => {
  const phone = told.phone ?? known.phone
  const lid = told.lid ?? known.lid
  if (phone === known.phone && lid === known.lid) return []
  return [{ type: 'ContactIdentified', data: { phone, lid } }]
}

/**
 * Who somebody is and whose turn it is (specification, 4): waiting → attending → resolved, and back when they write. An erased
 * contact takes nothing any more: the same person is another contact from then on.
 */
export const contact: Decider<ContactCommand, ContactEvent, Contact, ContactRefusal> = {
  initial: nobody,

  decide: {
    AddContact: (known, addresses) => {
      if (known.status === 'erased') return { rejected: 'contact_not_found' }
      if (known.status !== 'absent') return identified(known, addresses)
      return [{ type: 'ContactAdded', data: { ...addresses, name: null, origin: 'attendant' } }]
    },
    HearFromContact: (known, { name, ...addresses }) => {
      if (known.status === 'erased') return { rejected: 'contact_not_found' }
      if (known.status === 'absent') return [{ type: 'ContactAdded', data: { ...addresses, name, origin: 'message' } }]
      const news: ContactEvent[] = identified(known, addresses)
      if (name && name !== known.name) news.push({ type: 'ContactNamed', data: { name } })
      if (known.status === 'resolved') news.push({ type: 'ConversationReopened', data: {} })
      return news
    },
    NoteWriting: (known, addresses) => {
      if (known.status === 'erased') return { rejected: 'contact_not_found' }
      if (known.status !== 'absent') return identified(known, addresses)
      return [{ type: 'ContactAdded', data: { ...addresses, name: null, origin: 'phone' } }]
    },
    AcceptConversation: (known, { attendantId }) => {
      if (!isThere(known)) return { rejected: 'contact_not_found' }
      if (known.status !== 'waiting') return []
      return [{ type: 'ConversationAccepted', data: { attendantId } }]
    },
    ResolveConversation: (known, { attendantId }) => {
      if (!isThere(known)) return { rejected: 'contact_not_found' }
      if (known.status === 'resolved') return []
      if (known.status !== 'attending') return { rejected: 'conversation_not_attending' }
      return [{ type: 'ConversationResolved', data: { attendantId } }]
    },
    EraseContact: ({ status }) => {
      if (status === 'absent') return { rejected: 'contact_not_found' }
      return status === 'erased' ? [] : [{ type: 'ContactErased', data: {} }]
    },
  },

  evolve: {
    ContactAdded: (_, { phone, lid, name, origin }) => ({
      status: origin === 'phone' ? 'resolved' : 'waiting',
      phone,
      lid,
      name,
    }),
    ContactIdentified: (state, { phone, lid }) => ({ ...state, phone, lid }),
    ContactNamed: (state, { name }) => ({ ...state, name }),
    ConversationAccepted: (state) => ({ ...state, status: 'attending' }),
    ConversationResolved: (state) => ({ ...state, status: 'resolved' }),
    ConversationReopened: (state) => ({ ...state, status: 'waiting' }),
    ContactErased: () => ({ ...nobody, status: 'erased' }),
  },
}
