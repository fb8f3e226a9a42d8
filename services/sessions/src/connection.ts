import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Decider } from '@prosa/kernel/decider'

export type ConnectionEvent = EventOf<typeof connectionEvents>

/**
 * Commands that report what WhatsApp did name the `generation` of credentials under which it was seen: news of a line
 * that was given up in the meantime changes nothing.
 */
export type ConnectionCommand =
  | { type: 'AddConnection'; data: { name: string; until: Instant } }
  | { type: 'StartLinking'; data: { until: Instant } }
  | { type: 'IssueQrCode'; data: { generation: number; expiresAt: Instant } }
  | { type: 'ExpireLinking'; data: { until: Instant } }
  | {
      type: 'LinkNumber'
      data: { generation: number; phone: string | null; lid: string | null; pushName: string | null }
    }
  | { type: 'OpenLine'; data: { generation: number } }
  | { type: 'DropLine'; data: { generation: number; code: number; reason: string } }
  | { type: 'ReplaceConnection'; data: { generation: number } }
  | { type: 'RefuseConnection'; data: { generation: number; code: number; reason: string } }
  | { type: 'UnlinkNumber'; data: { generation: number } }
  | { type: 'DisconnectConnection'; data: Record<never, never> }
  | { type: 'RemoveConnection'; data: Record<never, never> }

export type ConnectionRefusal = 'connection_not_found' | 'connection_already_linked'

export interface ConnectionState {
  /** `idle`: nobody scanned in time; `cleared`: credentials are gone, a new QR code is needed. */
  status: 'absent' | 'idle' | 'linking' | 'linked' | 'replaced' | 'cleared' | 'removed'
  name: string
  /** End of the current linking attempt; also tells one attempt from the next. */
  linkingUntil: Instant | null
  /** `opening`: linked, and not yet heard of since. */
  line: 'opening' | 'open' | 'down'
  /** Counts how often the credentials were thrown away; older ones must never be used again. */
  generation: number
}

const concerns = (state: ConnectionState, generation: number, ...statuses: ConnectionState['status'][]) =>
  state.generation === generation && statuses.includes(state.status)

const cleared = (state: ConnectionState): ConnectionState => ({
  ...state,
  status: 'cleared',
  linkingUntil: null,
  line: 'down',
  generation: state.generation + 1,
})

/** The life of one WhatsApp connection, from the first QR code to its removal. */
export const connection: Decider<ConnectionCommand, ConnectionEvent, ConnectionState, ConnectionRefusal> = {
  initial: { status: 'absent', name: '', linkingUntil: null, line: 'down', generation: 0 },
  decide: {
    AddConnection: ({ status }, { name, until }) => {
      if (status !== 'absent') return []
      return [
        { type: 'ConnectionAdded', data: { name } },
        { type: 'LinkingStarted', data: { until } },
      ]
    },
    StartLinking: ({ status }, { until }) => {
      if (status === 'absent' || status === 'removed') return { rejected: 'connection_not_found' }
      if (status === 'linked') return { rejected: 'connection_already_linked' }
      return [{ type: 'LinkingStarted', data: { until } }]
    },
    IssueQrCode: (state, { generation, expiresAt }) => {
      if (!concerns(state, generation, 'linking')) return []
      return [{ type: 'QrCodeIssued', data: { expiresAt } }]
    },
    ExpireLinking: ({ status, linkingUntil }, { until }) => {
      if (status !== 'linking' || linkingUntil !== until) return []
      return [{ type: 'LinkingExpired', data: {} }]
    },
    LinkNumber: (state, { generation, phone, lid, pushName }) => {
      // A phone may scan the last code in the very moment in which time runs out: what WhatsApp did counts.
      if (!concerns(state, generation, 'linking', 'idle')) return []
      return [{ type: 'NumberLinked', data: { phone, lid, pushName } }]
    },
    OpenLine: (state, { generation }) => {
      if (!concerns(state, generation, 'linked') || state.line === 'open') return []
      return [{ type: 'LineOpened', data: {} }]
    },
    DropLine: (state, { generation, code, reason }) => {
      if (!concerns(state, generation, 'linked') || state.line === 'down') return []
      return [{ type: 'LineDropped', data: { code, reason } }]
    },
    ReplaceConnection: (state, { generation }) => {
      if (!concerns(state, generation, 'linked', 'linking')) return []
      return [{ type: 'ConnectionReplaced', data: {} }]
    },
    RefuseConnection: (state, { generation, code, reason }) => {
      if (!concerns(state, generation, 'linked', 'linking')) return []
      return [{ type: 'ConnectionRefused', data: { code, reason } }]
    },
    UnlinkNumber: (state, { generation }) => {
      if (!concerns(state, generation, 'linked', 'linking', 'replaced')) return []
      return [{ type: 'NumberUnlinked', data: {} }]
    },
    DisconnectConnection: ({ status }) => {
      if (status === 'absent' || status === 'removed') return { rejected: 'connection_not_found' }
      if (status === 'idle' || status === 'cleared') return []
      return [{ type: 'ConnectionDisconnected', data: {} }]
    },
    RemoveConnection: ({ status }) => {
      if (status === 'absent') return { rejected: 'connection_not_found' }
      if (status === 'removed') return []
      return [{ type: 'ConnectionRemoved', data: {} }]
    },
  },
  evolve: {
    ConnectionAdded: (state, { name }) => ({ ...state, status: 'idle', name }),
    LinkingStarted: (state, { until }) => ({ ...state, status: 'linking', linkingUntil: until }),
    QrCodeIssued: (state) => state,
    LinkingExpired: (state) => ({ ...state, status: 'idle', linkingUntil: null }),
    NumberLinked: (state) => ({ ...state, status: 'linked', linkingUntil: null, line: 'opening' }),
    LineOpened: (state) => ({ ...state, line: 'open' }),
    LineDropped: (state) => ({ ...state, line: 'down' }),
    ConnectionReplaced: (state) => ({ ...state, status: 'replaced', linkingUntil: null, line: 'down' }),
    ConnectionRefused: cleared,
    NumberUnlinked: cleared,
    ConnectionDisconnected: cleared,
    ConnectionRemoved: (state) => ({ ...cleared(state), status: 'removed' }),
  },
}
