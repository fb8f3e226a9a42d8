import type { endReasons, periodKinds } from '@prosa/contracts/published/tables/subscriptions'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export type PeriodKind = (typeof periodKinds)[number]
export type EndReason = (typeof endReasons)[number]

/** The latest time with access of an account, or an earlier one. Without personal data. */
export interface PeriodRow {
  /** `<account>`, or `<account> <position of the next one's beginning>`. */
  key: string
  tenant: string
  position: string
  updatedAt: string
  /** Event that began it. */
  periodId: string
  number: number
  kind: PeriodKind
  startedAt: string
  endsAt: string
  endedAt: string | null
  endReason: EndReason | null
  productId: string | null
  payments: number
  cancelledAt: string | null
}

export const periodTable: Table<PeriodRow> = {
  name: 'analytic_subscription',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    position: 'text collate "C" not null',
    updatedAt: 'text collate "C" not null',
    periodId: 'text not null',
    number: 'int not null',
    kind: 'text not null',
    startedAt: 'text not null',
    endsAt: 'text not null',
    endedAt: 'text',
    endReason: 'text',
    productId: 'text',
    payments: 'int not null',
    cancelledAt: 'text',
  },
  after: ['create index analytic_subscription_owner on analytic_subscription (owner, position)'],
}
