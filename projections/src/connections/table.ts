import type { ConnectionStatus } from '@prosa/contracts/http/connections'
import type { Table } from '../runner/table.ts'

export interface ConnectionRow {
  id: string
  owner: string | null
  /** Log position of the event that added it: their order. */
  addedAt: string
  name: string
  status: ConnectionStatus
  statusReason: string | null
  statusSince: string
  qrDeadline: string | null
  phone: string | null
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
    status: 'text not null',
    statusReason: 'text',
    statusSince: 'text not null',
    qrDeadline: 'text',
    phone: 'text',
    lastActivity: 'text not null',
  },
  after: ['create index connection_owner on connection (owner, added_at)'],
}
