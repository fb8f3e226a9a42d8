import type { PublishedSubscription } from '@prosa/contracts/published/tables/subscriptions'
import type { Shown } from '../analytic-table.ts'
import type { PeriodRow } from './table.ts'

export const shownSubscription: Shown<PeriodRow, PublishedSubscription> = (row, { id }) => ({
  id: row.periodId,
  tenant: id('account', row.owner),
  number: row.number,
  kind: row.kind,
  startedAt: row.startedAt,
  endsAt: row.endsAt,
  endedAt: row.endedAt,
  endReason: row.endReason,
  productId: row.productId,
  payments: row.payments,
  cancelledAt: row.cancelledAt,
  updatedAt: row.updatedAt,
})
