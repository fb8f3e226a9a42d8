import type { Table } from '@prosa/kernel/consumers/projections/table'

/** What one order gives; `until` is null once its money went back. */
export interface Grant {
  until: string | null
  productId: string | null
}

export interface UsageRow {
  id: string
  /** Until when access lasts, or lasted; null while nothing has begun. */
  endsAt: string | null
  /**
   * Whoever forgot to pay goes on for some days after the end; whose access was taken away does not. Null in rows of a version that did
   * not keep it, which refuse nothing that they should not.
   */
  hasGrace: boolean | null
  /** The address had its free period with another account, and nothing was paid or given since. */
  isTrialWithheld: boolean
  /** By order. */
  grants: Readonly<Record<string, Grant>>
  /** The first moment of the month in São Paulo in which the last message was sent. */
  sentSince: string
  /** Messages sent in that month. */
  sent: number
  connections: number
}

export const usageTable: Table<UsageRow> = {
  name: 'account_usage',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    endsAt: 'text',
    hasGrace: 'boolean',
    isTrialWithheld: 'boolean not null',
    grants: 'jsonb not null',
    sentSince: 'text not null',
    sent: 'int not null',
    connections: 'int not null',
  },
  added: { hasGrace: { notKnownYet: true }, isTrialWithheld: { was: 'false' } },
}
