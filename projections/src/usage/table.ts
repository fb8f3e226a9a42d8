import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Null after a refund. */
export interface Grant {
  until: string | null
  productId: string | null
}

export interface UsageRow {
  id: string
  /** Null before access began. */
  endsAt: string | null
  /** Grace follows an unpaid end, not a removal. Null in older rows. */
  hasGrace: boolean | null
  /** Another account used the trial, and nothing was paid or granted since. */
  isTrialWithheld: boolean
  /** Keyed by order. */
  grants: Readonly<Record<string, Grant>>
  /** São Paulo month of the last message. */
  sentSince: string
  /** In that month. */
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
