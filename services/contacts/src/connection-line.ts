import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import type { Decider } from '@prosa/kernel/decider'

export type Line = 'absent' | 'open' | 'down'

/** What the contacts service needs to know of a connection that the sessions service owns: is its line up? Only read. */
export const connectionLine: Decider<never, EventOf<typeof connectionEvents>, Line, 'connection_not_found'> = {
  initial: 'absent',
  decide: {},
  evolve: {
    ConnectionAdded: () => 'down',
    LinkingStarted: () => 'down',
    LinkingDelayed: () => 'down',
    QrCodeIssued: () => 'down',
    PairingCodeIssued: () => 'down',
    LinkingExpired: () => 'down',
    NumberLinked: () => 'down',
    LineOpened: () => 'open',
    LineDropped: () => 'down',
    ConnectionReplaced: () => 'down',
    ConnectionRefused: () => 'down',
    NumberUnlinked: () => 'down',
    ConnectionDisconnected: () => 'down',
    ConnectionRemoved: () => 'absent',
  },
}
