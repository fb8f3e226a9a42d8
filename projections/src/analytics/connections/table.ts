import type { Table } from '@prosa/kernel/consumers/projections/table'

/** A connection, or a time that it was online. Without personal data. */
export interface AnalyticConnectionRow {
  /** `<connection>`, or `<connection> <position of the end>`. */
  key: string
  tenant: string
  position: string
  connectionId: string
  /** Null of a time that is over. */
  addedAt: string | null
  removedAt: string | null
  network: string | null
  /** Online since then, of a connection that is. */
  onlineFrom: string | null
  /** Null of a connection. */
  onlineUntil: string | null
  /** The business did not ask for it. */
  isInterruption: boolean
}

export const analyticConnectionTable: Table<AnalyticConnectionRow> = {
  name: 'analytic_connection',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    position: 'text collate "C" not null',
    connectionId: 'text collate "C" not null',
    addedAt: 'text collate "C"',
    removedAt: 'text collate "C"',
    network: 'text',
    onlineFrom: 'text collate "C"',
    onlineUntil: 'text collate "C"',
    isInterruption: 'boolean not null',
  },
  after: [
    'create index analytic_connection_of on analytic_connection (connection_id, online_until)',
    'create index analytic_connection_owner on analytic_connection (owner)',
  ],
}
