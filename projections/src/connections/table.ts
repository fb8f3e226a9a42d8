import type { Connection, ConnectionStatus, NumberLine } from '@prosa/contracts/http/connections'
import type { LinkedNumber } from '@prosa/contracts/values/lines'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ConnectionRow {
  id: string
  tenant: string | null
  /** Log position: the order. */
  addedAt: string
  name: string
  /** Null: default. */
  network: Connection['network'] | null
  status: ConnectionStatus
  statusReason: string | null
  /** Null in older rows. */
  line: NumberLine | null
  statusSince: string
  qrDeadline: string | null
  /** This link attempt issued a pairing code. */
  hasPairingCode: boolean
  phone: string | null
  numbers: readonly LinkedNumber[] | null
  /** Hidden; leads conversations to its number's present connection. */
  isRemoved: boolean
  lastActivity: string
}

export const connectionTable: Table<ConnectionRow> = {
  name: 'connection',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
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
