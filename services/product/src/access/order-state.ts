import type { EventOf } from '@prosa/contracts/events/all-events'
import type { orderEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import type { OrderEventKind } from '@prosa/contracts/values/kiwify'
import type { Decider } from '@prosa/kernel/domain/decider'
import { noPlan, type OrderPlan, withAssigned, withReport } from './order-plan.ts'

export type OrderEvent = EventOf<typeof orderEvents>
type OrderAssigned = Extract<OrderEvent, { type: 'OrderAssigned' }>['data']

export interface Order {
  kinds: ReadonlySet<OrderEventKind>
  orderRef: string | null
  amountCents: number | null
  subscriptionId: string | null
  plan: OrderPlan
  /** Token of the purchase link, keyed hash of the address. */
  token: string | null
  buyerKey: string | null
  userId: string | null
  assignedBy: OrderAssigned['by'] | null
  /** Deliveries whose raw bytes name the buyer. */
  deliveryIds: ReadonlySet<string>
  isBuyerErased: boolean
  /** Earlier payments need no refund report. */
  wasPaidBeforeErasure: boolean
  isErasedChargeReported: boolean
  /** Excluded from lists and sums. */
  isHidden: boolean
}

export const noOrder: Order = {
  kinds: new Set(),
  orderRef: null,
  amountCents: null,
  subscriptionId: null,
  plan: noPlan,
  token: null,
  buyerKey: null,
  userId: null,
  assignedBy: null,
  deliveryIds: new Set(),
  isBuyerErased: false,
  wasPaidBeforeErasure: false,
  isErasedChargeReported: false,
  isHidden: false,
}

/** Includes payments that grant nothing. */
export const isPaid = ({ plan }: Order): boolean => plan.paidUntil !== null || plan.awaiting !== null
export const isBack = ({ kinds }: Order): boolean => kinds.has('chargeback') || kinds.has('order_refunded')

/** Refunds and chargebacks outweigh approvals, in any order. */
export const effectOf = ({
  kinds,
  plan: { paidUntil },
}: Order): { until: Instant } | { revoked: 'refund' | 'chargeback' } | null => {
  if (kinds.has('chargeback')) return { revoked: 'chargeback' }
  if (kinds.has('order_refunded')) return { revoked: 'refund' }
  return paidUntil === null ? null : { until: paidUntil }
}

export const evolveOrder: Decider<never, OrderEvent, Order, never>['evolve'] = {
  OrderReported: (state, data) => ({
    ...state,
    kinds: new Set([...state.kinds, data.kind]),
    orderRef: state.orderRef ?? data.orderRef,
    amountCents: state.amountCents ?? data.amountCents,
    subscriptionId: state.subscriptionId ?? data.subscriptionId,
    token: state.token ?? data.token,
    buyerKey: state.buyerKey ?? data.buyerKey,
    plan: withReport(state.plan, data),
    deliveryIds: new Set([...state.deliveryIds, data.deliveryId]),
  }),
  OrderDeliveryAttached: (state, { deliveryId }) => ({
    ...state,
    deliveryIds: new Set([...state.deliveryIds, deliveryId]),
  }),
  OrderAssigned: (state, { userId, by }) => ({ ...state, userId, assignedBy: by }),
  OrderPlanAssigned: (state, { by, ...assigned }) => ({
    ...state,
    plan: withAssigned(state.plan, assigned, by === 'administrator'),
  }),
  OrderHidden: (state) => ({ ...state, isHidden: true }),
  OrderShown: (state) => ({ ...state, isHidden: false }),
  OrderBuyerErased: (state) => ({
    ...state,
    isBuyerErased: true,
    wasPaidBeforeErasure: isPaid(state) && !state.isErasedChargeReported,
    token: null,
    buyerKey: null,
  }),
  ErasedBuyerCharged: (state) => ({ ...state, isErasedChargeReported: true }),
}
