import type { EventOf } from '@prosa/contracts/events/all-events'
import type { orderEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import type { OrderEventKind } from '@prosa/contracts/values/kiwify'
import type { Decider } from '@prosa/kernel/domain/decider'
import {
  type AssignedPlan,
  isFollower,
  lacksPlan,
  noPlan,
  type OrderPlan,
  type OrderReported,
  withAssigned,
  withReport,
} from './order-plan.ts'

export type OrderEvent = EventOf<typeof orderEvents>
type OrderAssigned = Extract<OrderEvent, { type: 'OrderAssigned' }>['data']

export type OrderRefusal = 'unexpected' | 'transaction_not_found' | 'transaction_has_plan'

export type OrderCommand =
  | { type: 'ReportOrder'; data: OrderReported }
  /** What the reports themselves show; an order that is somebody's already stays theirs. */
  | { type: 'AssignOrder'; data: { userId: string; by: Exclude<OrderAssigned['by'], 'administrator'> } }
  /** What an administrator knows; an order that is somebody's already moves. */
  | { type: 'AssignOrderByHand'; data: { userId: string } }
  /** What another order of the subscription shows; an order that has a plan keeps it. */
  | { type: 'FollowPlan'; data: AssignedPlan }
  /** What an administrator decided of another order of the subscription; one that was decided for itself keeps that. */
  | { type: 'FollowDecision'; data: AssignedPlan }
  /** What an administrator decides where no plan names the product; it may be decided again. */
  | { type: 'AssignPlan'; data: AssignedPlan & { planId: string } }
  | { type: 'HideOrder'; data: Record<never, never> }
  | { type: 'EraseBuyer'; data: Record<never, never> }
  /** Whoever bought is erased, and was so before this was known of the order. */
  | { type: 'ReportErasedCharge'; data: Record<never, never> }

export interface Order {
  kinds: ReadonlySet<OrderEventKind>
  orderRef: string | null
  amountCents: number | null
  subscriptionId: string | null
  plan: OrderPlan
  /** What names the buyer: the token of a purchase link and the keyed hash of an address. */
  token: string | null
  buyerKey: string | null
  userId: string | null
  /** Why it is theirs. */
  assignedBy: OrderAssigned['by'] | null
  /** Whose raw bytes name the buyer. */
  deliveryIds: ReadonlySet<string>
  isBuyerErased: boolean
  /** Nobody has to be charged again, or to get money back, for what was paid before. */
  wasPaidBeforeErasure: boolean
  isErasedChargeReported: boolean
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

/** Whether a report shows more of what was paid, or of the plan that it was paid for. */
const showsMore = (plan: OrderPlan, data: OrderReported): boolean => {
  const after = withReport(plan, data)
  return (
    after.paidUntil !== plan.paidUntil ||
    (after.reported === null) !== (plan.reported === null) ||
    (lacksPlan(after) &&
      (after.awaiting?.paidAt !== plan.awaiting?.paidAt || after.awaiting?.accessUntil !== plan.awaiting?.accessUntil))
  )
}

const isSamePlan = (one: AssignedPlan | null, other: AssignedPlan): boolean =>
  one !== null &&
  one.planId === other.planId &&
  one.productId === other.productId &&
  one.accessDays === other.accessDays

/** Money came, whether it opens anything or not. */
const isPaid = ({ plan }: Order): boolean => plan.paidUntil !== null || plan.awaiting !== null
const isBack = ({ kinds }: Order): boolean => kinds.has('chargeback') || kinds.has('order_refunded')

/** What the order does to access: a refund or a chargeback outweighs every approval, whichever was reported first. */
export const effectOf = ({
  kinds,
  plan: { paidUntil },
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
  },
  decide: {
    ReportOrder: (held, reported) => {
      const data = held.isBuyerErased ? anonymous(reported) : reported
      const names =
        (held.token === null && data.token !== null) ||
        (held.buyerKey === null && data.buyerKey !== null) ||
        (held.subscriptionId === null && data.subscriptionId !== null)
      if (!held.kinds.has(data.kind) || names || showsMore(held.plan, data)) return [{ type: 'OrderReported', data }]
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
    FollowPlan: ({ kinds, plan }, data) =>
      kinds.size === 0 || !lacksPlan(plan)
        ? []
        : [{ type: 'OrderPlanAssigned', data: { ...data, by: 'subscription' } }],
    FollowDecision: ({ kinds, plan }, data) => {
      const follows = kinds.size > 0 && (lacksPlan(plan) || isFollower(plan))
      if (!follows || isSamePlan(plan.assigned, data)) return []
      return [{ type: 'OrderPlanAssigned', data: { ...data, by: 'subscription' } }]
    },
    AssignPlan: ({ kinds, isHidden, plan }, data) => {
      if (kinds.size === 0 || isHidden) return { rejected: 'transaction_not_found' }
      if (plan.reported !== null) return { rejected: 'transaction_has_plan' }
      if (isSamePlan(plan.assigned, data)) return []
      return [{ type: 'OrderPlanAssigned', data: { ...data, by: 'administrator' } }]
    },
    HideOrder: ({ kinds, isHidden }) => {
      if (kinds.size === 0) return { rejected: 'transaction_not_found' }
      return isHidden ? [] : [{ type: 'OrderHidden', data: {} }]
    },
    EraseBuyer: ({ kinds, isBuyerErased }) =>
      kinds.size === 0 || isBuyerErased ? [] : [{ type: 'OrderBuyerErased', data: {} }],
    ReportErasedCharge: (held) => {
      if (!isPaid(held) || isBack(held) || held.wasPaidBeforeErasure || held.isErasedChargeReported) return []
      const { orderRef, subscriptionId, amountCents } = held
      return [{ type: 'ErasedBuyerCharged', data: { orderRef, subscriptionId, amountCents } }]
    },
  },
  evolve: {
    OrderReported: (held, data) => ({
      ...held,
      kinds: new Set([...held.kinds, data.kind]),
      orderRef: held.orderRef ?? data.orderRef,
      amountCents: held.amountCents ?? data.amountCents,
      subscriptionId: held.subscriptionId ?? data.subscriptionId,
      token: held.token ?? data.token,
      buyerKey: held.buyerKey ?? data.buyerKey,
      plan: withReport(held.plan, data),
      deliveryIds: new Set([...held.deliveryIds, data.deliveryId]),
    }),
    OrderDeliveryAttached: (held, { deliveryId }) => ({
      ...held,
      deliveryIds: new Set([...held.deliveryIds, deliveryId]),
    }),
    OrderAssigned: (held, { userId, by }) => ({ ...held, userId, assignedBy: by }),
    OrderPlanAssigned: (held, { by, ...assigned }) => ({
      ...held,
      plan: withAssigned(held.plan, assigned, by === 'administrator'),
    }),
    OrderHidden: (held) => ({ ...held, isHidden: true }),
    OrderBuyerErased: (held) => ({
      ...held,
      isBuyerErased: true,
      wasPaidBeforeErasure: isPaid(held) && !held.isErasedChargeReported,
      token: null,
      buyerKey: null,
    }),
    ErasedBuyerCharged: (held) => ({ ...held, isErasedChargeReported: true }),
  },
}
