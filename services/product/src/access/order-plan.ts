import type { EventOf } from '@prosa/contracts/events/all-events'
import type { orderEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import { payingKinds } from '@prosa/contracts/values/kiwify'
import { later } from '@prosa/kernel/clock'

type OrderEvent = EventOf<typeof orderEvents>
export type OrderReported = Extract<OrderEvent, { type: 'OrderReported' }>['data']
/** Assigned, or followed from another order. */
export type AssignedPlan = Omit<Extract<OrderEvent, { type: 'OrderPlanAssigned' }>['data'], 'by'>

export interface OrderPlan {
  productId: string | null
  /** The product's plan at report time; the longest. */
  reported: { planName: string | null; accessDays: number } | null
  assigned: AssignedPlan | null
  /** An administrator decided, not another order. */
  isDecided: boolean
  /** Paid while no plan named the product; `accessUntil` is Kiwify's. */
  awaiting: { paidAt: Instant; accessUntil: Instant | null } | null
  /** Unless refunded; null if unpaid or without a plan. */
  paidUntil: Instant | null
}

export const noPlan: OrderPlan = {
  productId: null,
  reported: null,
  assigned: null,
  isDecided: false,
  awaiting: null,
  paidUntil: null,
}

const dayMs = 24 * 3600 * 1000

export const latest = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || (other !== null && Date.parse(other) > Date.parse(one)) ? other : one

const latestOf = (one: Instant, other: Instant): Instant => (Date.parse(other) > Date.parse(one) ? other : one)

/** Takes the later of Kiwify's end and the plan's days. */
const periodOf = (paidAt: Instant, days: number, accessUntil: Instant | null): Instant | null =>
  latest(accessUntil, later(paidAt, days * dayMs))

const daysOf = ({ assigned, reported }: OrderPlan): number | null =>
  assigned?.accessDays ?? reported?.accessDays ?? null

/** Counted payments are never taken back. */
const counted = (plan: OrderPlan): OrderPlan => {
  const { awaiting, paidUntil } = plan
  const days = daysOf(plan)
  if (awaiting === null || days === null) return plan
  return { ...plan, paidUntil: latest(paidUntil, periodOf(awaiting.paidAt, days, awaiting.accessUntil)) }
}

const withPayment = (plan: OrderPlan, { kind, occurredAt, accessUntil }: OrderReported): OrderPlan => {
  if (!payingKinds.includes(kind)) return plan
  const { awaiting } = plan
  const paidAt = awaiting === null ? occurredAt : latestOf(awaiting.paidAt, occurredAt)
  return { ...plan, awaiting: { paidAt, accessUntil: latest(awaiting?.accessUntil ?? null, accessUntil) } }
}

/** Independent of the order of reports. */
export const withReport = (plan: OrderPlan, data: OrderReported): OrderPlan => {
  const named = { ...plan, productId: plan.productId ?? data.productId }
  if (data.isWithoutPlan) return counted(withPayment(named, data))
  const { planName = null, accessDays, kind, occurredAt, accessUntil } = data
  const isLonger = named.reported === null || accessDays > named.reported.accessDays
  const known = { ...named, reported: isLonger ? { planName, accessDays } : named.reported }
  const paid = payingKinds.includes(kind) ? periodOf(occurredAt, accessDays, accessUntil) : null
  return counted({ ...known, paidUntil: latest(known.paidUntil, paid) })
}

export const withAssigned = (plan: OrderPlan, assigned: AssignedPlan, isDecided: boolean): OrderPlan =>
  counted({ ...plan, assigned, isDecided })

/** Follows another order's plan, and its later decisions. */
export const isFollower = ({ reported, assigned, isDecided }: OrderPlan): boolean =>
  reported === null && assigned !== null && !isDecided

/** Such an order grants nothing. */
export const lacksPlan = ({ reported, assigned }: OrderPlan): boolean => reported === null && assigned === null

/** For the subscription's next orders; null for none. */
export const planToFollow = ({ assigned, reported, productId }: OrderPlan): AssignedPlan | null =>
  assigned ?? (reported && { ...reported, planId: null, productId })
