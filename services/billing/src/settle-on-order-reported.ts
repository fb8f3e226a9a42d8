import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { accountOfToken } from '@prosa/product/purchase-token'
import type { EraseBuyer } from './erase-buyer.ts'
import { accepted, type BillingHandlers } from './handlers.ts'
import { effectOf, type Order } from './order.ts'
import { lacksPlan, planToFollow } from './order-plan.ts'

const name = 'settle-on-order-reported'

const reportErasedCharge = { type: 'ReportErasedCharge', data: {} } as const

type Buyer = { userId: string; by: 'token' | 'subscription' | 'email' }

/**
 * Finds the tenant by an administrator's decision, purchase link token, known subscription or proved address; otherwise the order waits
 * under its address. Applies its effect on access.
 */
export const settleOnOrderReported = (
  { orders, kiwifySubscriptions, entitlements, subscriptions }: BillingHandlers,
  box: SecretBox,
  erase: Pick<EraseBuyer, 'order'>,
): Reactor => {
  const findBuyer = async ({ token, subscriptionId, buyerKey }: Order): Promise<Buyer | undefined> => {
    const known = subscriptionId === null ? undefined : await kiwifySubscriptions.load(subscriptionId, null)
    const ofSubscription: Buyer | undefined = known?.userId ? { userId: known.userId, by: 'subscription' } : undefined
    const isAlive = ofSubscription && !(await subscriptions.load(ofSubscription.userId, ofSubscription.userId)).isErased
    if (isAlive && known?.isDecided) return ofSubscription
    const ofToken = token === null ? undefined : accountOfToken(box, token)
    if (ofToken) return { userId: ofToken, by: 'token' }
    if (isAlive) return ofSubscription
    const ofAddress = buyerKey && (await entitlements.load(buyerKey, null)).userId
    return ofAddress ? { userId: ofAddress, by: 'email' } : ofSubscription
  }

  /** Reports first: afterwards, earlier payments are indistinguishable. */
  const eraseOnArrival = async (orderId: string, context: CommandContext, isPaidSince: boolean) => {
    if (isPaidSince) accepted(await orders(orderId, reportErasedCharge, context))
    await erase.order(orderId, context)
  }

  /** A concurrent claim returns its user. */
  const awaitBuyer = async (orderId: string, buyerKey: string, context: CommandContext): Promise<Buyer | undefined> => {
    const waiting = await entitlements(buyerKey, { type: 'AwaitBuyer', data: { orderId } }, context)
    const { userId, isErased } = accepted(waiting)
    if (isErased) await eraseOnArrival(orderId, context, true)
    return userId === null ? undefined : { userId, by: 'email' }
  }

  /** Otherwise the buyer may be somebody else, erased with that address. */
  const noteBuyer = async (orderId: string, { buyerKey, assignedBy }: Order, context: CommandContext) => {
    if (buyerKey === null || assignedBy === 'email') return
    const { isErased } = accepted(await entitlements(buyerKey, { type: 'SeeOrder', data: { orderId } }, context))
    if (isErased) await erase.order(orderId, context)
  }

  const settle = async (orderId: string, order: Order, userId: string, context: CommandContext) => {
    const { subscriptionId, plan } = order
    const productId = plan.assigned?.productId ?? plan.productId
    if (subscriptionId !== null)
      accepted(await kiwifySubscriptions(subscriptionId, { type: 'RememberSubscriber', data: { userId } }, context))
    const own = { ...context, owner: userId }
    const attached = accepted(await subscriptions(userId, { type: 'AttachOrder', data: { orderId } }, own))
    // Existing grants were paid before, or are reported.
    if (attached.isErased) await eraseOnArrival(orderId, context, !attached.grants.has(orderId))
    await noteBuyer(orderId, order, context)
    const effect = effectOf(order)
    if (effect === null) return
    const { until, revoked } = { until: undefined, revoked: undefined, ...effect }
    accepted(
      until !== undefined
        ? await subscriptions(userId, { type: 'GrantAccess', data: { orderId, subscriptionId, productId, until } }, own)
        : await subscriptions(userId, { type: 'RevokeAccess', data: { orderId, cause: revoked } }, own),
    )
  }

  /** Same subscription and product, oldest first. */
  const siblingsOf = async (orderId: string, { subscriptionId, plan }: Order): Promise<[string, Order][]> => {
    if (subscriptionId === null) return []
    const { orders: all } = await kiwifySubscriptions.load(subscriptionId, null)
    const siblings: [string, Order][] = []
    for (const id of all) {
      const other = id === orderId ? undefined : await orders.load(id, null)
      if (other && other.plan.productId === plan.productId) siblings.push([id, other])
    }
    return siblings
  }

  /** Orders without a product plan share the subscription's first known or last decided one. The resulting event settles the rest. */
  const sharePlan = async (orderId: string, order: Order, context: CommandContext, isDecision = false) => {
    const siblings = await siblingsOf(orderId, order)
    const own = planToFollow(order.plan)
    if (own !== null) {
      const type = isDecision ? 'FollowDecision' : 'FollowPlan'
      for (const [id, { plan }] of siblings)
        if (isDecision || lacksPlan(plan)) accepted(await orders(id, { type, data: own }, context))
      return
    }
    const known = siblings.map(([, { plan }]) => planToFollow(plan)).findLast((plan) => plan !== null)
    if (known) accepted(await orders(orderId, { type: 'FollowPlan', data: known }, context))
  }

  const assignAndSettle = async (orderId: string, context: CommandContext) => {
    const order = await orders.load(orderId, null)
    if (order.userId !== null) return settle(orderId, order, order.userId, context)
    const buyer = (await findBuyer(order)) ?? (order.buyerKey && (await awaitBuyer(orderId, order.buyerKey, context)))
    // The resulting event settles the rest.
    if (buyer) accepted(await orders(orderId, { type: 'AssignOrder', data: buyer }, context))
    else if (order.isBuyerErased) accepted(await orders(orderId, reportErasedCharge, context))
  }

  const move = async (event: StoredOf<'OrderAssigned'>, orderId: string, context: CommandContext) => {
    const { userId, formerUserId, by } = event.data
    if (by !== 'administrator') return
    if (formerUserId !== undefined)
      accepted(
        await subscriptions(
          formerUserId,
          { type: 'DetachOrder', data: { orderId } },
          { ...context, owner: formerUserId },
        ),
      )
    const { subscriptionId } = await orders.load(orderId, null)
    if (subscriptionId !== null)
      accepted(await kiwifySubscriptions(subscriptionId, { type: 'MoveSubscriber', data: { userId } }, context))
  }

  return {
    name,
    categories: ['order'],
    key: ({ stream }) => stream,
    on: {
      async OrderReported(event) {
        const [orderId, context] = [parseStream(event.stream).id, contextFor(name, event)]
        await sharePlan(orderId, await orders.load(orderId, null), context)
        await assignAndSettle(orderId, context)
      },
      async OrderPlanAssigned(event) {
        const [orderId, context] = [parseStream(event.stream).id, contextFor(name, event)]
        const isDecision = event.data.by === 'administrator'
        await sharePlan(orderId, await orders.load(orderId, null), context, isDecision)
        await assignAndSettle(orderId, context)
      },
      async OrderAssigned(event) {
        const [orderId, context] = [parseStream(event.stream).id, contextFor(name, event)]
        await move(event, orderId, context)
        await assignAndSettle(orderId, context)
      },
    },
  }
}
