import { parseStream } from '@prosa/contracts/streams'
import type { OrderEventKind } from '@prosa/contracts/values/kiwify'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { shardOf } from './shard.ts'

interface Counted {
  /** Maximum stated, independent of order. */
  paidCents: number
  statedCents: number
  isPaid: boolean
  isReturned: boolean
  isHidden: boolean
}

export interface OrderTotalsRow {
  shard: string
  orders: Readonly<Record<string, Counted>>
  grossCents: number
  netCents: number
}

const paying: readonly OrderEventKind[] = ['order_approved', 'subscription_renewed']
const returning: readonly OrderEventKind[] = ['order_refunded', 'chargeback']

const centsOf = ({ paidCents, statedCents }: Counted) => paidCents || statedCents

const rowOf = (shard: string, orders: OrderTotalsRow['orders']): OrderTotalsRow => {
  const all = Object.values(orders).filter(({ isHidden }) => !isHidden)
  const sum = (counted: readonly Counted[]) => counted.reduce((cents, each) => cents + centsOf(each), 0)
  return {
    shard,
    orders,
    // A refund implies a payment.
    grossCents: sum(all.filter(({ isPaid, isReturned }) => isPaid || isReturned)),
    netCents: sum(all.filter(({ isPaid, isReturned }) => isPaid && !isReturned)),
  }
}

const withHidden = (isHidden: boolean) => ({
  key: ({ stream }: Stored) => shardOf(parseStream(stream).id),
  row: (row: OrderTotalsRow | undefined, { stream }: Stored) => {
    const { id } = parseStream(stream)
    const held = row?.orders[id]
    return row && held ? rowOf(row.shard, { ...row.orders, [id]: { ...held, isHidden } }) : row
  },
})

const none: Counted = { paidCents: 0, statedCents: 0, isPaid: false, isReturned: false, isHidden: false }

/** Cents. */
export const orderTotals: Projection<OrderTotalsRow> = {
  name: 'order-totals',
  version: 1,
  categories: ['order'],
  table: {
    name: 'order_totals',
    key: 'shard',
    columns: {
      shard: 'text collate "C"',
      orders: 'jsonb not null',
      // Exact up to 90 thousand billion reais.
      grossCents: 'float8 not null',
      netCents: 'float8 not null',
    },
  },
  on: {
    OrderReported: {
      key: ({ stream }) => shardOf(parseStream(stream).id),
      row: (row, { stream, data: { kind, amountCents } }) => {
        const { id } = parseStream(stream)
        const held = row?.orders[id] ?? none
        const cents = amountCents ?? 0
        const isPayment = paying.includes(kind)
        const counted: Counted = {
          ...held,
          paidCents: isPayment ? Math.max(held.paidCents, cents) : held.paidCents,
          statedCents: Math.max(held.statedCents, cents),
          isPaid: held.isPaid || isPayment,
          isReturned: held.isReturned || returning.includes(kind),
        }
        return rowOf(shardOf(id), { ...row?.orders, [id]: counted })
      },
    },
    OrderHidden: withHidden(true),
    OrderShown: withHidden(false),
  },
}
