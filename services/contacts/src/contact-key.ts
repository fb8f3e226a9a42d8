import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactKeyEvents } from '@prosa/contracts/events/contacts'
import type { Decider } from '@prosa/kernel/decider'

export type ContactKeyCommand = { type: 'ClaimContactKey'; data: { contactId: string } }

export type ContactKeyEvent = EventOf<typeof contactKeyEvents>

/** One phone number or LID of one tenant: the first contact to claim it has it. */
export const contactKey: Decider<
  ContactKeyCommand,
  ContactKeyEvent,
  { contactId: string | null },
  'contact_not_found'
> = {
  initial: { contactId: null },
  decide: {
    ClaimContactKey: (held, { contactId }) => {
      if (held.contactId) return []
      return [{ type: 'ContactKeyClaimed', data: { contactId } }]
    },
  },
  evolve: {
    ContactKeyClaimed: (_, { contactId }) => ({ contactId }),
  },
}
