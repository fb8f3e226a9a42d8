import type { Connection, ConnectionStatus, NumberLine } from '@prosa/contracts/http/connections'
import type { LinkedNumber } from '@prosa/contracts/values/lines'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ConnectionRow {
  id: string
  owner: string | null
  /** Log position of the event that added it: their order. */
  addedAt: string
  name: string
  /** null: the network that connections without a choice link to. */
  network: Connection['network'] | null
  status: ConnectionStatus
  statusReason: string | null
  /** Null in rows of a version that did not keep it. */
  line: NumberLine | null
  statusSince: string
  qrDeadline: string | null
  /** A code to type on the phone was issued in this attempt to link. */
  hasPairingCode: boolean
  phone: string | null
  /** Every number that was linked to it, the present one last; null in rows of a version that did not keep them. */
  numbers: readonly LinkedNumber[] | null
  /** It is shown no more: conversations lead from it to the connection that has its number now. */
  isRemoved: boolean
  lastActivity: string
}

export const connectionTable: Table<ConnectionRow> = {
  name: 'connection',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    addedAt: 'text collate "C" not null',
    name: 'text not null',
    network: 'text',
    status: 'text not null',
    statusReason: 'text',
    line: 'text not null',
    statusSince: 'text not null',
    qrDeadline: 'text',
    hasPairingCode: 'boolean not null',
    phone: 'text',
    numbers: 'jsonb',
    isRemoved: 'boolean not null',
    lastActivity: 'text not null',
  },
  added: { line: { notKnownYet: true }, numbers: { notKnownYet: true }, isRemoved: { was: 'false' } },
  after: ['create index connection_owner on connection (owner, added_at)'],
}
