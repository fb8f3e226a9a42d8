import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Decider } from '@prosa/kernel/domain/decider'

export type Network = Connection['network']

/** WhatsApp's code: the credentials are good afterwards. */
export const temporaryBan = 402

export type ConnectionEvent = EventOf<typeof connectionEvents>

/** Reports of WhatsApp's facts name the `generation` of credentials: those of an older one change nothing. */
export type ConnectionCommand =
  | { type: 'AddConnection'; data: { name: string; network: Network; until: Instant } }
  | { type: 'AddOrRefreshConnection'; data: { name: string; network: Network; until: Instant } }
  | { type: 'StartLinking'; data: { until: Instant } }
  /** Delayed until there is capacity; then it lasts its full time. */
  | { type: 'DelayLinking'; data: { until: Instant } }
  | { type: 'ResumeLinking'; data: { waitedUntil: Instant; until: Instant } }
  | { type: 'IssueQrCode'; data: { generation: number; expiresAt: Instant } }
  | { type: 'AskPairingCode'; data: Record<never, never> }
  | { type: 'IssuePairingCode'; data: { generation: number; phone: string; expiresAt: Instant } }
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

export type ConnectionRefusal = 'connection_not_found' | 'connection_already_linked' | 'pairing_code_unavailable'

export interface ConnectionState {
  /** `idle`: nobody scanned in time; `left_alone`: paused until requested; `cleared`: no credentials, a new QR code is needed. */
  status: 'absent' | 'idle' | 'linking' | 'linked' | 'left_alone' | 'cleared' | 'removed'
  name: string
  /** null in older connections: the process's default. */
  network: Network | null
  /** End of the current linking attempt; also its identity. */
  linkingUntil: Instant | null
  isDelayed: boolean
  /** `opening`: linked, and neither open nor dropped since. */
  line: 'opening' | 'open' | 'down'
  /** Increases when credentials are discarded; older generations must never be used again. */
  generation: number
  number: NumberIdentity | null
  /** Counts numbers; relinking the same number does not count again. */
  numbers: number
}

type NumberIdentity = Pick<Extract<ConnectionEvent, { type: 'NumberLinked' }>['data'], 'phone' | 'lid'>

const concerns = (state: ConnectionState, generation: number, ...statuses: ConnectionState['status'][]) =>
  state.generation === generation && statuses.includes(state.status)

/** WhatsApp does not always report both, and an account may change its phone number. */
const isSameNumber = (one: NumberIdentity | null, other: NumberIdentity): boolean =>
  one !== null && ((one.phone !== null && one.phone === other.phone) || (one.lid !== null && one.lid === other.lid))

const leftAlone = (state: ConnectionState): ConnectionState => ({
  ...state,
  status: 'left_alone',
  linkingUntil: null,
  line: 'down',
})

const cleared = (state: ConnectionState): ConnectionState => ({
  ...state,
  status: 'cleared',
  linkingUntil: null,
  line: 'down',
  generation: state.generation + 1,
})

export const connection: Decider<ConnectionCommand, ConnectionEvent, ConnectionState, ConnectionRefusal> = {
  initial: {
    status: 'absent',
    name: '',
    network: null,
    linkingUntil: null,
    isDelayed: false,
    line: 'down',
    generation: 0,
    number: null,
    numbers: 0,
  },
  saving: { decider: 'connection', version: 1, subject: ({ tenant }) => userSubject(tenant) },
  decide: {
    AddConnection: ({ status }, { name, network, until }) => {
      if (status !== 'absent') return []
      return [
        { type: 'ConnectionAdded', data: { name, network } },
        { type: 'LinkingStarted', data: { until } },
      ]
    },
    StartLinking: ({ status }, { until }) => {
      if (status === 'absent' || status === 'removed') return { rejected: 'connection_not_found' }
      if (status === 'linked') return { rejected: 'connection_already_linked' }
      return [{ type: 'LinkingStarted', data: { until } }]
    },
    AddOrRefreshConnection: (state, data) =>
      state.status === 'absent'
        ? connection.decide.AddConnection(state, data)
        : connection.decide.StartLinking(state, data),
    DelayLinking: ({ status, linkingUntil, isDelayed }, { until }) => {
      if (status !== 'linking' || linkingUntil !== until || isDelayed) return []
      return [{ type: 'LinkingDelayed', data: {} }]
    },
    ResumeLinking: ({ status, linkingUntil, isDelayed }, { waitedUntil, until }) => {
      if (status !== 'linking' || linkingUntil !== waitedUntil || !isDelayed) return []
      return [{ type: 'LinkingStarted', data: { until } }]
    },
    IssueQrCode: (state, { generation, expiresAt }) => {
      if (!concerns(state, generation, 'linking')) return []
      return [{ type: 'QrCodeIssued', data: { expiresAt } }]
    },
    AskPairingCode: ({ status }) => {
      if (status === 'absent' || status === 'removed') return { rejected: 'connection_not_found' }
      if (status !== 'linking') return { rejected: 'pairing_code_unavailable' }
      return []
    },
    IssuePairingCode: (state, { generation, phone, expiresAt }) => {
      if (!concerns(state, generation, 'linking')) return []
      return [{ type: 'PairingCodeIssued', data: { phone, expiresAt } }]
    },
    ExpireLinking: ({ status, linkingUntil }, { until }) => {
      if (status !== 'linking' || linkingUntil !== until) return []
      return [{ type: 'LinkingExpired', data: {} }]
    },
    LinkNumber: (state, { generation, phone, lid, pushName }) => {
      // A phone may scan the last code just as time runs out.
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
      if (!concerns(state, generation, 'linked', 'linking', 'left_alone')) return []
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
    ConnectionAdded: (state, { name, network = null }) => ({ ...state, status: 'idle', name, network }),
    LinkingStarted: (state, { until }) => ({ ...state, status: 'linking', linkingUntil: until, isDelayed: false }),
    LinkingDelayed: (state) => ({ ...state, isDelayed: true }),
    QrCodeIssued: (state) => state,
    PairingCodeIssued: (state) => state,
    LinkingExpired: (state) => ({ ...state, status: 'idle', linkingUntil: null }),
    NumberLinked: (state, { phone, lid }) => ({
      ...state,
      status: 'linked',
      linkingUntil: null,
      line: 'opening',
      number: { phone, lid },
      numbers: isSameNumber(state.number, { phone, lid }) ? state.numbers : state.numbers + 1,
    }),
    LineOpened: (state) => ({ ...state, line: 'open' }),
    LineDropped: (state) => ({ ...state, line: 'down' }),
    ConnectionReplaced: leftAlone,
    ConnectionRefused: (state, { code }) => (code === temporaryBan ? leftAlone(state) : cleared(state)),
    NumberUnlinked: cleared,
    ConnectionDisconnected: cleared,
    ConnectionRemoved: (state) => ({ ...cleared(state), status: 'removed' }),
  },
}
