import { type AssignedPlan, lacksPlan, type OrderReported, planToFollow } from '@prosa/product/access/order-plan'
import { effectOf, type Order } from '@prosa/product/access/order-state'
import type { Subscription } from '@prosa/product/access/subscription-state'
import type { BillingHandlers } from '../handlers.ts'
import type { KiwifyBody, OrderReport } from '../kiwify/read-body.ts'
import type { Entitlement } from './entitlement.ts'
import type { KiwifySubscription } from './kiwify-subscription.ts'

type Target = 'deliveries' | 'orders' | 'kiwifySubscriptions' | 'entitlements' | 'subscriptions'

/** A command to one stream. `next` decides on the state right after it. */
type CommandStep = {
  [T in Target]: {
    to: T
    id: string
    command: Parameters<BillingHandlers[T]>[1]
    next?: (after: Awaited<ReturnType<BillingHandlers[T]['load']>>) => readonly Step[]
  }
}[Target]

type ErasureStep =
  | { erase: 'order'; orderId: string }
  | { erase: 'delivery'; deliveryId: string }
  | { erase: 'address'; buyerKey: string; userId: string }

/** Done in order, each once however often it is repeated. */
export type Step = CommandStep | ErasureStep

/*
 * From a delivery of Kiwify's to access. Each function below answers one event with the next steps; the events of these steps wake the
 * process again.
 *
 *   DeliveryReceived, DeliveryReprocessed      → 1 the delivery is applied to its order
 *   OrderReported, OrderPlanAssigned           → 2 the plan is shared within the subscription, 3
 *   OrderAssigned                              → (moved by an administrator: taken from the former account) 3
 *                                                3 the buyer is found (OrderAssigned) or awaited, or access is settled
 *   SubscriberRemembered, SubscriptionCancelled → 4 the subscription's orders follow its account
 *   EntitlementClaimed                         → 5 what waited for the address follows its account
 *   EmailConfirmed, EmailChanged               → 6 an account claims or leaves an address (EntitlementClaimed)
 */

// 1. The delivery

export interface DeliveryFacts {
  deliveryId: string
  body: KiwifyBody
  /** Null unless the body is an order. */
  report: OrderReported | null
  /** Keyed hashes of the addresses in a body that is no order. */
  buyerKeys: readonly string[]
}

export const applyDelivery = ({ deliveryId, body, report, buyerKeys }: DeliveryFacts): readonly Step[] => [
  ...(body.state === 'order' && report ? applyOrder(body.report, report) : buyerKeys.map(attachDelivery(deliveryId))),
  { to: 'deliveries', id: deliveryId, command: { type: 'SettleDelivery', data: { body } } },
]

const applyOrder = ({ orderId, subscriptionId, kind }: OrderReport, data: OrderReported): readonly Step[] => [
  // First, so that a subscriber found later gets all orders.
  ...(subscriptionId === null ? [] : noteInSubscription(subscriptionId, orderId, kind === 'subscription_canceled')),
  {
    to: 'orders',
    id: orderId,
    command: { type: 'ReportOrder', data },
    next: ({ isBuyerErased }) => (isBuyerErased ? [{ erase: 'delivery', deliveryId: data.deliveryId }] : []),
  },
]

const noteInSubscription = (id: string, orderId: string, isCancellation: boolean): readonly Step[] => [
  { to: 'kiwifySubscriptions', id, command: { type: 'SeeOrder', data: { orderId } } },
  ...(isCancellation
    ? [{ to: 'kiwifySubscriptions', id, command: { type: 'NoteCancellation', data: {} } } as const]
    : []),
]

/** Belongs to the address's holder, or is destroyed if they were erased. */
const attachDelivery =
  (deliveryId: string) =>
  (buyerKey: string): Step => ({
    to: 'entitlements',
    id: buyerKey,
    command: { type: 'SeeDelivery', data: { deliveryId } },
    next: ({ isErased }) => (isErased ? [{ erase: 'delivery', deliveryId }] : []),
  })

// 2. The plan

export interface OrderFacts {
  orderId: string
  order: Order
  /** Undefined once the order is assigned. */
  buyer: BuyerFacts | undefined
}

/** Of the same subscription and product, oldest first. */
export type Siblings = readonly (readonly [orderId: string, Order])[]

export const settleReport = (facts: OrderFacts, siblings: Siblings, isDecision = false): readonly Step[] => {
  const { orderId, order } = facts
  const own = planToFollow(order.plan)
  if (own !== null) return [...sharePlan(own, siblings, isDecision), ...assignOrSettle(facts)]
  const known = siblings.map(([, { plan }]) => planToFollow(plan)).findLast((plan) => plan !== null)
  if (!known) return assignOrSettle(facts)
  const follow = { type: 'FollowPlan', data: known } as const
  return [{ to: 'orders', id: orderId, command: follow, next: (after) => assignOrSettle({ ...facts, order: after }) }]
}

/** Orders without a product plan share the subscription's first known or last decided one. The resulting event settles them. */
const sharePlan = (plan: AssignedPlan, siblings: Siblings, isDecision: boolean): readonly Step[] =>
  siblings
    .filter(([, sibling]) => isDecision || lacksPlan(sibling.plan))
    .map(([id]) => ({
      to: 'orders',
      id,
      command: { type: isDecision ? 'FollowDecision' : 'FollowPlan', data: plan },
    }))

// 3. The buyer

export interface BuyerFacts {
  /** Account of the purchase link. */
  ofToken: string | undefined
  /** Of the Kiwify subscription. */
  subscriber: Pick<KiwifySubscription, 'userId' | 'isDecided'> | undefined
  isSubscriberErased: boolean
  /** Account that proved the address. */
  ofAddress: string | null
}

type Buyer = { userId: string; by: 'token' | 'subscription' | 'email' }

/** By an administrator's decision, purchase link token, known subscription or proved address. */
const findBuyer = ({ ofToken, subscriber, isSubscriberErased, ofAddress }: BuyerFacts): Buyer | undefined => {
  const known: Buyer | undefined = subscriber?.userId ? { userId: subscriber.userId, by: 'subscription' } : undefined
  const isAlive = known !== undefined && !isSubscriberErased
  if (isAlive && subscriber?.isDecided) return known
  if (ofToken) return { userId: ofToken, by: 'token' }
  if (isAlive) return known
  return ofAddress ? { userId: ofAddress, by: 'email' } : known
}

/** The resulting event settles the rest. */
const assign = (orderId: string, buyer: Buyer): Step => ({
  to: 'orders',
  id: orderId,
  command: { type: 'AssignOrder', data: buyer },
})

const reportErasedCharge = (orderId: string): Step => ({
  to: 'orders',
  id: orderId,
  command: { type: 'ReportErasedCharge', data: {} },
})

/** Reports first: afterwards, earlier payments are indistinguishable. */
const eraseOnArrival = (orderId: string, isPaidSince: boolean): readonly Step[] => [
  ...(isPaidSince ? [reportErasedCharge(orderId)] : []),
  { erase: 'order', orderId },
]

const assignOrSettle = ({ orderId, order, buyer }: OrderFacts): readonly Step[] => {
  if (order.userId !== null) return settleAccess(orderId, order, order.userId)
  const found = buyer && findBuyer(buyer)
  if (found) return [assign(orderId, found)]
  if (order.buyerKey !== null) return [awaitBuyer(orderId, order.buyerKey)]
  return order.isBuyerErased ? [reportErasedCharge(orderId)] : []
}

/** The order waits under its address; a concurrent claim returns its user. */
const awaitBuyer = (orderId: string, buyerKey: string): Step => ({
  to: 'entitlements',
  id: buyerKey,
  command: { type: 'AwaitBuyer', data: { orderId } },
  next: ({ userId, isErased }: Entitlement) => [
    ...(isErased ? eraseOnArrival(orderId, true) : []),
    ...(userId === null ? [] : [assign(orderId, { userId, by: 'email' })]),
  ],
})

/** Access follows the order's effect; the subscription's next orders follow its account. */
const settleAccess = (orderId: string, order: Order, userId: string): readonly Step[] => {
  const { subscriptionId } = order
  const remember = { type: 'RememberSubscriber', data: { userId } } as const
  return [
    ...(subscriptionId === null ? [] : [{ to: 'kiwifySubscriptions', id: subscriptionId, command: remember } as const]),
    {
      to: 'subscriptions',
      id: userId,
      command: { type: 'AttachOrder', data: { orderId } },
      // Existing grants were paid before, or are reported.
      next: ({ isErased, grants }: Subscription) => (isErased ? eraseOnArrival(orderId, !grants.has(orderId)) : []),
    },
    ...noteBuyer(orderId, order),
    ...grantOrRevoke(orderId, order, userId),
  ]
}

/** Otherwise the buyer may be somebody else, erased with that address. */
const noteBuyer = (orderId: string, { buyerKey, assignedBy }: Order): readonly Step[] =>
  buyerKey === null || assignedBy === 'email'
    ? []
    : [
        {
          to: 'entitlements',
          id: buyerKey,
          command: { type: 'SeeOrder', data: { orderId } },
          next: ({ isErased }) => (isErased ? [{ erase: 'order', orderId }] : []),
        },
      ]

const grantOrRevoke = (orderId: string, order: Order, userId: string): readonly Step[] => {
  const effect = effectOf(order)
  if (effect === null) return []
  const { subscriptionId, plan } = order
  const productId = plan.assigned?.productId ?? plan.productId
  const command =
    'until' in effect
      ? ({ type: 'GrantAccess', data: { orderId, subscriptionId, productId, until: effect.until } } as const)
      : ({ type: 'RevokeAccess', data: { orderId, cause: effect.revoked } } as const)
  return [{ to: 'subscriptions', id: userId, command }]
}

/** `moved`: by an administrator; the former account loses it, and the subscription's next orders follow. */
export const settleAssigned = (
  facts: OrderFacts,
  moved: { userId: string; formerUserId: string | undefined } | undefined,
): readonly Step[] => {
  if (!moved) return assignOrSettle(facts)
  const { orderId, order } = facts
  const { userId, formerUserId } = moved
  const detach = { type: 'DetachOrder', data: { orderId } } as const
  const move = { type: 'MoveSubscriber', data: { userId } } as const
  return [
    ...(formerUserId === undefined ? [] : [{ to: 'subscriptions', id: formerUserId, command: detach } as const]),
    ...(order.subscriptionId === null
      ? []
      : [{ to: 'kiwifySubscriptions', id: order.subscriptionId, command: move } as const]),
    ...assignOrSettle(facts),
  ]
}

// 4. The subscription

/** `ofAddress`: orders whose address the account proved. Its claim assigns them at the same time; whichever comes first says the same. */
export const assignSubscription = (
  subscriptionId: string,
  userId: string,
  { orders, isCancelled }: KiwifySubscription,
  ofAddress: ReadonlySet<string>,
): readonly Step[] => [
  ...[...orders].map((orderId) => assign(orderId, { userId, by: ofAddress.has(orderId) ? 'email' : 'subscription' })),
  ...(isCancelled ? [cancelRenewal(subscriptionId, userId)] : []),
]

export const cancelRenewal = (subscriptionId: string, userId: string): Step => ({
  to: 'subscriptions',
  id: userId,
  command: { type: 'CancelRenewal', data: { subscriptionId } },
})

// 5. The address

export const assignWaiting = (userId: string, { waiting }: Entitlement): readonly Step[] =>
  [...waiting].map((orderId) => assign(orderId, { userId, by: 'email' }))

/** Stores keyed hashes: addresses are unreadable after erasure. */
export const attachAddress = (buyerKey: string, userId: string): readonly Step[] => [
  {
    to: 'subscriptions',
    id: userId,
    command: { type: 'AttachAddress', data: { buyerKey } },
    next: ({ isErased }) => (isErased ? [{ erase: 'address', buyerKey, userId }] : []),
  },
]

// 6. The account

export const claimAddress = (buyerKey: string, userId: string): readonly Step[] => [
  { to: 'entitlements', id: buyerKey, command: { type: 'ClaimEntitlement', data: { userId } } },
]

export const releaseAddress = (buyerKey: string, userId: string): readonly Step[] => [
  { to: 'entitlements', id: buyerKey, command: { type: 'ReleaseEntitlement', data: { userId } } },
]
