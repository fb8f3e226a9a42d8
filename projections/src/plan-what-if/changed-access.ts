import type { EventOf } from '@prosa/contracts/events/all-events'
import type { orderEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import { payingKinds } from '@prosa/contracts/values/kiwify'
import { later } from '@prosa/kernel/clock'
import { fold } from '@prosa/kernel/domain/decider'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { accessOf, nothing, withGrant } from '@prosa/product/access/access'
import { effectOf, evolveOrder, isBack, noOrder, type Order } from '@prosa/product/access/order-state'
import {
  evolveSubscription,
  noSubscription,
  type Subscription,
  type SubscriptionEvent,
} from '@prosa/product/access/subscription-state'

const dayMs = 86_400_000

export type OrderEvent = Stored<EventOf<typeof orderEvents>>
export type AccessEvent = Stored<SubscriptionEvent>

/** `until` is exclusive. */
export interface Period {
  from: Instant
  until: Instant
}

const isIn = ({ from, until }: Period, { metadata: { recordedAt } }: Stored) => recordedAt >= from && recordedAt < until

export interface DaysChange {
  /** Of the plan that has other days; null: none has. */
  productId: string | null
  accessDays: number | undefined
  trialDays: number | undefined
}

/** As if Kiwify's reports of the period had come while the plan had other days. */
export const changedOrder = (events: readonly OrderEvent[], { productId, accessDays }: DaysChange, period: Period) =>
  events.map((event): OrderEvent => {
    if (event.type !== 'OrderReported' || accessDays === undefined || !isIn(period, event)) return event
    if (event.data.productId !== productId || event.data.isWithoutPlan) return event
    return { ...event, data: { ...event.data, accessDays } }
  })

/** The order as it was at a position of the log. */
const orderUpTo = (events: readonly OrderEvent[], position: Position): Order =>
  fold<OrderEvent, Order>(
    { initial: noOrder, evolve: evolveOrder },
    noOrder,
    events.filter((event) => event.position <= position),
  )

const stateAfter = (state: Subscription, event: SubscriptionEvent): Subscription =>
  fold<SubscriptionEvent, Subscription>({ initial: noSubscription, evolve: evolveSubscription }, state, [event])

/** What access the same facts would have given; an administrator's decision stays. */
const redone = (
  state: Subscription,
  event: AccessEvent,
  orders: ReadonlyMap<string, readonly OrderEvent[]>,
  { trialDays }: DaysChange,
  period: Period,
): SubscriptionEvent => {
  const { type, data } = event
  if (type === 'TrialStarted' && trialDays !== undefined && isIn(period, event))
    return { type, data: { endsAt: later(event.metadata.recordedAt, trialDays * dayMs) } }
  if (type === 'TrialWithheld')
    return { type, data: { ...data, ...accessOf({ ...state, trialEndsAt: data.at, isTrialWithheld: true }) } }
  if (type === 'AccessGranted') {
    const { orderId, subscriptionId, productId } = data
    const order = orders.get(orderId)
    const effect = order && effectOf(orderUpTo(order, event.position))
    const until = effect && 'until' in effect ? effect.until : data.until
    const access = accessOf(withGrant(state, orderId, { until, subscriptionId, productId }))
    return { type, data: { ...data, until, endsAt: access.endsAt ?? until, status: access.status } }
  }
  if (type === 'AccessRevoked') return { type, data: { ...data, ...accessOf(withGrant(state, data.orderId, nothing)) } }
  return event
}

/** The events of a subscription with other days: the same ones, with what would have followed from them. */
export const changedAccess = (
  events: readonly AccessEvent[],
  orders: ReadonlyMap<string, readonly OrderEvent[]>,
  change: DaysChange,
  period: Period,
): AccessEvent[] => {
  let state = noSubscription
  return events.map((event) => {
    const other = redone(state, event, orders, change, period)
    state = stateAfter(state, other)
    return { ...event, ...other } as AccessEvent
  })
}

export const endOfAccess = (events: readonly AccessEvent[]): Instant | null =>
  fold<SubscriptionEvent, Subscription>({ initial: noSubscription, evolve: evolveSubscription }, noSubscription, events)
    .endsAt

/** Orders of a product whose first payment came in the period, and their amounts; refunded ones bring in nothing. */
export const paidIn = (orders: Iterable<readonly OrderEvent[]>, productId: string | null, period: Period): number[] =>
  [...orders].flatMap((events) => {
    const paid = events.find((event) => event.type === 'OrderReported' && payingKinds.includes(event.data.kind))
    const order = fold<OrderEvent, Order>({ initial: noOrder, evolve: evolveOrder }, noOrder, events)
    if (!paid || productId === null || order.plan.productId !== productId || isBack(order)) return []
    return isIn(period, paid) ? [order.amountCents ?? 0] : []
  })
