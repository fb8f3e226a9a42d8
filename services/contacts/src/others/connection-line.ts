import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { Reader } from '@prosa/kernel/domain/decider'

/** `unused`: never linked. `down`: queued messages wait. */
export type Line = 'absent' | 'unused' | 'open' | 'down'

const stillUnused = (line: Line): Line => (line === 'unused' ? line : 'down')

/** Folded from the sessions service's events. */
export const connectionLine: Reader<EventOf<typeof connectionEvents>, Line> = {
  initial: 'absent',
  saving: { decider: 'connection line', version: 1, subject: ({ tenant }) => userSubject(tenant) },
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
