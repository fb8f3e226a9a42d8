import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { Decider } from '@prosa/kernel/domain/decider'

/** `unused`: no phone was ever linked. `down`: there is a number, or was one, and what is queued waits until it is linked. */
export type Line = 'absent' | 'unused' | 'open' | 'down'

const stillUnused = (line: Line): Line => (line === 'unused' ? line : 'down')

/** What the contacts service needs to know of a connection that the sessions service owns: is its line up? Only read. */
export const connectionLine: Decider<never, EventOf<typeof connectionEvents>, Line, 'connection_not_found'> = {
  initial: 'absent',
  saving: { decider: 'connection line', version: 1, subject: ({ owner }) => userSubject(owner) },
  decide: {},
  evolve: {
    ConnectionAdded: () => 'unused',
    LinkingStarted: stillUnused,
    LinkingDelayed: stillUnused,
    QrCodeIssued: stillUnused,
    PairingCodeIssued: stillUnused,
    LinkingExpired: stillUnused,
    NumberLinked: () => 'down',
    LineOpened: () => 'open',
    LineDropped: () => 'down',
    ConnectionReplaced: stillUnused,
    ConnectionRefused: stillUnused,
    NumberUnlinked: stillUnused,
    ConnectionDisconnected: stillUnused,
    ConnectionRemoved: () => 'absent',
  },
}
