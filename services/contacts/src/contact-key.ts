import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactKeyEvents } from '@prosa/contracts/events/contacts'
import type { Decider } from '@prosa/kernel/domain/decider'

export type ContactKeyCommand =
  | { type: 'ClaimContactKey'; data: { contactId: string } }
  /** Gives up what this contact holds, and nothing that another has claimed since. */
  | { type: 'ReleaseContactKey'; data: { contactId: string } }
  /** The contact that holds it was merged into another. */
  | { type: 'MoveContactKey'; data: { from: string; to: string } }
  /** A merge was taken back: whoever had it before has it again. */
  | { type: 'RestoreContactKey'; data: { from: string; to: string } }

export type ContactKeyEvent = EventOf<typeof contactKeyEvents>

export interface ContactKey {
  contactId: string | null
  /** How many contacts had it and were erased. */
  releases: number
  /** Who has had it since it was last released. */
  holders: readonly string[]
}

/** One phone number or LID of one tenant: the first contact to claim it has it, until that is merged or erased. */
export const contactKey: Decider<ContactKeyCommand, ContactKeyEvent, ContactKey, 'contact_not_found'> = {
  initial: { contactId: null, releases: 0, holders: [] },
  decide: {
    ClaimContactKey: (held, { contactId }) => {
      if (held.contactId) return []
      return [{ type: 'ContactKeyClaimed', data: { contactId } }]
    },
    ReleaseContactKey: (held, { contactId }) => {
      if (held.contactId !== contactId) return []
      return [{ type: 'ContactKeyReleased', data: { contactId } }]
    },
    MoveContactKey: (held, { from, to }) => {
      // A merge that is carried out late must not undo that it was taken back.
      if (held.contactId !== from || held.holders.includes(to)) return []
      return [{ type: 'ContactKeyMoved', data: { contactId: to } }]
    },
    RestoreContactKey: (held, { from, to }) => {
      if (held.contactId !== from || from === to || !held.holders.includes(to)) return []
      return [{ type: 'ContactKeyMoved', data: { contactId: to } }]
    },
  },
  evolve: {
    ContactKeyClaimed: ({ releases }, { contactId }) => ({ contactId, releases, holders: [contactId] }),
    ContactKeyMoved: (held, { contactId }) => ({
      ...held,
      contactId,
      holders: held.holders.includes(contactId) ? held.holders : [...held.holders, contactId],
    }),
    ContactKeyReleased: ({ releases }) => ({ contactId: null, releases: releases + 1, holders: [] }),
  },
}
