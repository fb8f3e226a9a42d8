import type { Decider } from '@prosa/kernel/domain/decider'
import {
  type AssignedPlan,
  isFollower,
  lacksPlan,
  type OrderPlan,
  type OrderReported,
  withReport,
} from '@prosa/product/access/order-plan'
import { evolveOrder, isBack, isPaid, noOrder, type Order, type OrderEvent } from '@prosa/product/access/order-state'

type OrderAssigned = Extract<OrderEvent, { type: 'OrderAssigned' }>['data']

export type OrderRefusal = 'unexpected' | 'transaction_not_found' | 'transaction_has_plan'

export type OrderCommand =
  | { type: 'ReportOrder'; data: OrderReported }
  /** Derived from reports; never moves an assigned order. */
  | { type: 'AssignOrder'; data: { userId: string; by: Exclude<OrderAssigned['by'], 'administrator'> } }
  /** By an administrator; moves an assigned order. */
  | { type: 'AssignOrderByHand'; data: { userId: string } }
  /** An order that has a plan keeps it. */
  | { type: 'FollowPlan'; data: AssignedPlan }
  /** An administrator's decision on another order; keeps its own decision. */
  | { type: 'FollowDecision'; data: AssignedPlan }
  /** By an administrator where no plan names the product; repeatable. */
  | { type: 'AssignPlan'; data: AssignedPlan & { planId: string } }
  | { type: 'HideOrder'; data: Record<never, never> }
  | { type: 'ShowOrder'; data: Record<never, never> }
  | { type: 'EraseBuyer'; data: Record<never, never> }
  /** The buyer was erased before this was known. */
  | { type: 'ReportErasedCharge'; data: Record<never, never> }

/** For buyers who were erased. */
const anonymous = (data: OrderReported): OrderReported => ({
  ...data,
  token: null,
  buyerKey: null,
  buyerName: null,
  buyerEmail: null,
  buyerDocument: null,
})

/** The report adds payment or plan information. */
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

/** One charge. Its state depends on the set of reports, not on order or repetition. */
export const order: Decider<OrderCommand, OrderEvent, Order, OrderRefusal> = {
  initial: noOrder,
  decide: {
    ReportOrder: (state, reported) => {
      const data = state.isBuyerErased ? anonymous(reported) : reported
      const names =
        (state.token === null && data.token !== null) ||
        (state.buyerKey === null && data.buyerKey !== null) ||
        (state.subscriptionId === null && data.subscriptionId !== null)
      if (!state.kinds.has(data.kind) || names || showsMore(state.plan, data)) return [{ type: 'OrderReported', data }]
      const { deliveryId } = data
      return state.deliveryIds.has(deliveryId) ? [] : [{ type: 'OrderDeliveryAttached', data: { deliveryId } }]
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
    ShowOrder: ({ kinds, isHidden }) => {
      if (kinds.size === 0) return { rejected: 'transaction_not_found' }
      return isHidden ? [{ type: 'OrderShown', data: {} }] : []
    },
    EraseBuyer: ({ kinds, isBuyerErased }) =>
      kinds.size === 0 || isBuyerErased ? [] : [{ type: 'OrderBuyerErased', data: {} }],
    ReportErasedCharge: (state) => {
      if (!isPaid(state) || isBack(state) || state.wasPaidBeforeErasure || state.isErasedChargeReported) return []
      const { orderRef, subscriptionId, amountCents } = state
      return [{ type: 'ErasedBuyerCharged', data: { orderRef, subscriptionId, amountCents } }]
    },
  },
  evolve: evolveOrder,
}
