import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactKeyEvents } from '@prosa/contracts/events/contacts'
import type { Decider } from '@prosa/kernel/decider'

export type ContactKeyCommand =
  | { type: 'ClaimContactKey'; data: { contactId: string } }
  /** Gives up what this contact holds, and nothing that another has claimed since. */
  | { type: 'ReleaseContactKey'; data: { contactId: string } }

export type ContactKeyEvent = EventOf<typeof contactKeyEvents>

export interface ContactKey {
  contactId: string | null
  /** How many contacts had it and were erased. */
  releases: number
}

/** One phone number or LID of one tenant: the first contact to claim it has it, until that is erased. */
export const contactKey: Decider<ContactKeyCommand, ContactKeyEvent, ContactKey, 'contact_not_found'> = {
  initial: { contactId: null, releases: 0 },
  decide: {
    ClaimContactKey: (held, { contactId }) => {
      if (held.contactId) return []
      return [{ type: 'ContactKeyClaimed', data: { contactId } }]
    },
    ReleaseContactKey: (held, { contactId }) => {
      if (held.contactId !== contactId) return []
      return [{ type: 'ContactKeyReleased', data: { contactId } }]
    },
  },
  evolve: {
    ContactKeyClaimed: (held, { contactId }) => ({ ...held, contactId }),
    ContactKeyReleased: ({ releases }) => ({ contactId: null, releases: releases + 1 }),
  },
}
