import type { EventOf } from '@prosa/contracts/events/all-events'
import type { orderEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import { type OrderEventKind, payingKinds } from '@prosa/contracts/values/kiwify'
import { later } from '@prosa/kernel/clock'
import type { Decider } from '@prosa/kernel/domain/decider'

export type OrderEvent = EventOf<typeof orderEvents>
export type OrderReported = Extract<OrderEvent, { type: 'OrderReported' }>['data']
type OrderAssigned = Extract<OrderEvent, { type: 'OrderAssigned' }>['data']

export type OrderRefusal = 'unexpected' | 'transaction_not_found'

export type OrderCommand =
  | { type: 'ReportOrder'; data: OrderReported }
  /** What the reports themselves show; an order that is somebody's already stays theirs. */
  | { type: 'AssignOrder'; data: { userId: string; by: Exclude<OrderAssigned['by'], 'administrator'> } }
  /** What an administrator knows; an order that is somebody's already moves. */
  | { type: 'AssignOrderByHand'; data: { userId: string } }
  | { type: 'HideOrder'; data: Record<never, never> }
  | { type: 'EraseBuyer'; data: Record<never, never> }

export interface Order {
  kinds: ReadonlySet<OrderEventKind>
  subscriptionId: string | null
  productId: string | null
  /** What names the buyer: the token of a purchase link and the keyed hash of an address. */
  token: string | null
  buyerKey: string | null
  /** Until when the order gives access if the money stays; null while it is not paid. */
  paidUntil: Instant | null
  userId: string | null
  /** Why it is theirs. */
  assignedBy: OrderAssigned['by'] | null
  /** Whose raw bytes name the buyer. */
  deliveryIds: ReadonlySet<string>
  isBuyerErased: boolean
  /** Out of lists and sums. */
  isHidden: boolean
}

/** A report without the person: of a buyer who was erased. */
const anonymous = (data: OrderReported): OrderReported => ({
  ...data,
  token: null,
  buyerKey: null,
  buyerName: null,
  buyerEmail: null,
  buyerDocument: null,
})

const dayMilliseconds = 24 * 3600 * 1000

const latest = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || (other !== null && Date.parse(other) > Date.parse(one)) ? other : one

/** The period that one report proves to be paid: the later of Kiwify's own end and the days of the plan. */
const paidBy = ({ kind, occurredAt, accessDays, accessUntil }: OrderReported): Instant | null =>
  payingKinds.includes(kind) ? latest(accessUntil, later(occurredAt, accessDays * dayMilliseconds)) : null

/** What the order does to access: a refund or a chargeback outweighs every approval, whichever was reported first. */
export const effectOf = ({
  kinds,
  paidUntil,
}: Order): { until: Instant } | { revoked: 'refund' | 'chargeback' } | null => {
  if (kinds.has('chargeback')) return { revoked: 'chargeback' }
  if (kinds.has('order_refunded')) return { revoked: 'refund' }
  return paidUntil === null ? null : { until: paidUntil }
}

/**
 * One charge. Every report of it is taken in whatever order it comes, and twice is as good as once: the state is that of the
 * set of what was reported.
 */
export const order: Decider<OrderCommand, OrderEvent, Order, OrderRefusal> = {
  initial: {
    kinds: new Set(),
    subscriptionId: null,
    productId: null,
    token: null,
    buyerKey: null,
    paidUntil: null,
    userId: null,
    assignedBy: null,
    deliveryIds: new Set(),
    isBuyerErased: false,
    isHidden: false,
  },
  decide: {
    ReportOrder: (held, reported) => {
      const data = held.isBuyerErased ? anonymous(reported) : reported
      const prolongs = latest(held.paidUntil, paidBy(data)) !== held.paidUntil
      const names =
        (held.token === null && data.token !== null) ||
        (held.buyerKey === null && data.buyerKey !== null) ||
        (held.subscriptionId === null && data.subscriptionId !== null)
      if (!held.kinds.has(data.kind) || prolongs || names) return [{ type: 'OrderReported', data }]
      const { deliveryId } = data
      return held.deliveryIds.has(deliveryId) ? [] : [{ type: 'OrderDeliveryAttached', data: { deliveryId } }]
    },
    AssignOrder: ({ kinds, userId }, data) =>
      kinds.size === 0 || userId !== null ? [] : [{ type: 'OrderAssigned', data: data }],
    AssignOrderByHand: ({ kinds, userId, isHidden }, data) => {
      if (kinds.size === 0 || isHidden) return { rejected: 'transaction_not_found' }
      if (userId === data.userId) return []
      const moved = userId === null ? {} : { formerUserId: userId }
      return [{ type: 'OrderAssigned', data: { ...data, by: 'administrator', ...moved } }]
    },
    HideOrder: ({ kinds, isHidden }) => {
      if (kinds.size === 0) return { rejected: 'transaction_not_found' }
      return isHidden ? [] : [{ type: 'OrderHidden', data: {} }]
    },
    EraseBuyer: ({ kinds, isBuyerErased }) =>
      kinds.size === 0 || isBuyerErased ? [] : [{ type: 'OrderBuyerErased', data: {} }],
  },
  evolve: {
    OrderReported: (held, data) => ({
      ...held,
      kinds: new Set([...held.kinds, data.kind]),
      subscriptionId: held.subscriptionId ?? data.subscriptionId,
      productId: held.productId ?? data.productId,
      token: held.token ?? data.token,
      buyerKey: held.buyerKey ?? data.buyerKey,
      paidUntil: latest(held.paidUntil, paidBy(data)),
      deliveryIds: new Set([...held.deliveryIds, data.deliveryId]),
    }),
    OrderDeliveryAttached: (held, { deliveryId }) => ({
      ...held,
      deliveryIds: new Set([...held.deliveryIds, deliveryId]),
    }),
    OrderAssigned: (held, { userId, by }) => ({ ...held, userId, assignedBy: by }),
    OrderHidden: (held) => ({ ...held, isHidden: true }),
    OrderBuyerErased: (held) => ({ ...held, isBuyerErased: true, token: null, buyerKey: null }),
  },
}
