import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactKeyEvents } from '@prosa/contracts/events/contacts'
import type { Decider } from '@prosa/kernel/domain/decider'

export type ContactKeyCommand =
  | { type: 'ClaimContactKey'; data: { contactId: string } }
  /** Only if this contact still holds it. */
  | { type: 'ReleaseContactKey'; data: { contactId: string } }
  | { type: 'MoveContactKey'; data: { from: string; to: string } }
  /** A merge was undone. */
  | { type: 'RestoreContactKey'; data: { from: string; to: string } }

export type ContactKeyEvent = EventOf<typeof contactKeyEvents>

export interface ContactKey {
  contactId: string | null
  /** Number of erased holders. */
  releases: number
  /** Holders since the last release. */
  holders: readonly string[]
  /** The latest erased holder. */
  released: string | null
}

/** The first claim holds until merge or erasure. */
export const contactKey: Decider<ContactKeyCommand, ContactKeyEvent, ContactKey, 'contact_not_found'> = {
  initial: { contactId: null, releases: 0, holders: [], released: null },
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
      // A late merge must not revert its undoing.
      if (held.contactId !== from || held.holders.includes(to)) return []
      return [{ type: 'ContactKeyMoved', data: { contactId: to } }]
    },
    RestoreContactKey: (held, { from, to }) => {
      if (held.contactId !== from || from === to || !held.holders.includes(to)) return []
      return [{ type: 'ContactKeyMoved', data: { contactId: to } }]
    },
  },
  evolve: {
    ContactKeyClaimed: (held, { contactId }) => ({ ...held, contactId, holders: [contactId] }),
    ContactKeyMoved: (held, { contactId }) => ({
      ...held,
      contactId,
      holders: held.holders.includes(contactId) ? held.holders : [...held.holders, contactId],
    }),
    ContactKeyReleased: ({ releases }, { contactId }) => ({
      contactId: null,
      releases: releases + 1,
      holders: [],
      released: contactId,
    }),
  },
}
