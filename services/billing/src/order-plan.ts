import type { EventOf } from '@prosa/contracts/events/all-events'
import type { orderEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import { payingKinds } from '@prosa/contracts/values/kiwify'
import { later } from '@prosa/kernel/clock'

type OrderEvent = EventOf<typeof orderEvents>
export type OrderReported = Extract<OrderEvent, { type: 'OrderReported' }>['data']
/** The plan that an order was assigned to, or that another order of its subscription has. */
export type AssignedPlan = Omit<Extract<OrderEvent, { type: 'OrderPlanAssigned' }>['data'], 'by'>

/** What is known of the plan of an order, and of the time that is paid. */
export interface OrderPlan {
  productId: string | null
  /** Of the plan that named the product when the order was reported; the longest. */
  reported: { planName: string | null; accessDays: number } | null
  assigned: AssignedPlan | null
  /** An administrator assigned it; else another order of the subscription did. */
  isDecided: boolean
  /** What was paid while no plan named the product: from when on it counts, and until when it does for Kiwify. */
  awaiting: { paidAt: Instant; accessUntil: Instant | null } | null
  /** Until when the order gives access if the money stays; null while it is not paid, or its plan is not known. */
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

/** The period that a payment proves: the later of Kiwify's own end and the days of the plan. */
const periodOf = (paidAt: Instant, days: number, accessUntil: Instant | null): Instant | null =>
  latest(accessUntil, later(paidAt, days * dayMs))

/** The days that count: what an administrator decided, else what the product said. */
const daysOf = ({ assigned, reported }: OrderPlan): number | null =>
  assigned?.accessDays ?? reported?.accessDays ?? null

/** What waited for the plan counts from when that is known on; what counted once is never taken back. */
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

/** What is known after a report: a function of the set of reports, in whatever order they come. */
export const withReport = (plan: OrderPlan, data: OrderReported): OrderPlan => {
  const held = { ...plan, productId: plan.productId ?? data.productId }
  if (data.isWithoutPlan) return counted(withPayment(held, data))
  const { planName = null, accessDays, kind, occurredAt, accessUntil } = data
  const isLonger = held.reported === null || accessDays > held.reported.accessDays
  const known = { ...held, reported: isLonger ? { planName, accessDays } : held.reported }
  const paid = payingKinds.includes(kind) ? periodOf(occurredAt, accessDays, accessUntil) : null
  return counted({ ...known, paidUntil: latest(known.paidUntil, paid) })
}

export const withAssigned = (plan: OrderPlan, assigned: AssignedPlan, isDecided: boolean): OrderPlan =>
  counted({ ...plan, assigned, isDecided })

/** What another order of the subscription decided for this one: a decision about that one is about this one, too. */
export const isFollower = ({ reported, assigned, isDecided }: OrderPlan): boolean =>
  reported === null && assigned !== null && !isDecided

/** No plan named the product, and nobody has decided which it is: such an order gives nothing. */
export const lacksPlan = ({ reported, assigned }: OrderPlan): boolean => reported === null && assigned === null

/** Which plan the next orders of the subscription follow; null while there is none. */
export const planToFollow = ({ assigned, reported, productId }: OrderPlan): AssignedPlan | null =>
  assigned ?? (reported && { ...reported, planId: null, productId })
