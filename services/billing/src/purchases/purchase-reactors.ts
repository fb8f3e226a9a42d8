import { type Category, parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { accountOfToken } from '@prosa/kernel/privacy/purchase-token'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import type { EraseBuyer } from '../buyers/erase-buyer.ts'
import { bodyOf, type FindReceived, type ReceivedDelivery } from '../deliveries/received-delivery.ts'
import type { BillingHandlers } from '../handlers.ts'
import type { OrderReport } from '../kiwify/read-body.ts'
import type { SoldPlanOf } from '../plans/plan-days.ts'
import type { SoldPlan } from '../plans/queries.ts'
import type { Order } from './order.ts'
import type { OrderReported } from './order-plan.ts'
import * as process from './purchase-process.ts'
import { stepRunner } from './run-steps.ts'

export interface PurchaseDeps {
  handlers: BillingHandlers
  box: SecretBox
  soldPlanOf: SoldPlanOf
  findReceived: FindReceived
  erase: Pick<EraseBuyer, 'order' | 'delivery' | 'address'>
}

/** Parked deliveries have keys with this prefix. */
export const applyWorker = 'reactor apply-on-delivery-received'

/** They wake `purchase-process.ts`: read what it decides on, run its steps. */
export const purchaseReactors = (deps: PurchaseDeps): Reactor[] => {
  const { kiwifySubscriptions, entitlements } = deps.handlers
  const { deliveryFacts, orderFacts, siblingsOf } = purchaseFacts(deps)
  const runSteps = stepRunner(deps.handlers, deps.erase)
  const reactor = ({ name, category, on }: PurchaseReactor): Reactor => ({
    name,
    categories: [category],
    key: ({ stream }) => stream,
    on: on((event, steps) => runSteps(steps, contextFor(name, event))),
  })

  return [
    reactor({
      name: 'apply-on-delivery-received',
      category: 'webhookDelivery',
      on: (run) => ({
        DeliveryReceived: async (event) =>
          run(event, process.applyDelivery(await deliveryFacts(event, event.position))),
        DeliveryReprocessed: async (event) => {
          const received = await deps.findReceived(event.stream)
          // The plans as of the request.
          await run(event, process.applyDelivery(await deliveryFacts(received, event.position)))
        },
      }),
    }),
    reactor({
      name: 'settle-on-order-reported',
      category: 'order',
      on: (run) => ({
        OrderReported: async (event) => {
          const facts = await orderFacts(event.stream)
          await run(event, process.settleReport(facts, await siblingsOf(facts)))
        },
        OrderPlanAssigned: async (event) => {
          const facts = await orderFacts(event.stream)
          const isDecision = event.data.by === 'administrator'
          await run(event, process.settleReport(facts, await siblingsOf(facts), isDecision))
        },
        OrderAssigned: async (event) => {
          const { userId, formerUserId, by } = event.data
          const moved = by === 'administrator' ? { userId, formerUserId } : undefined
          await run(event, process.settleAssigned(await orderFacts(event.stream), moved))
        },
      }),
    }),
    reactor({
      name: 'assign-on-subscriber-remembered',
      category: 'kiwifySubscription',
      on: (run) => ({
        SubscriberRemembered: async (event) => {
          const { id } = parseStream(event.stream)
          const known = await kiwifySubscriptions.load(id, null)
          await run(event, process.assignSubscription(id, event.data.userId, known))
        },
        SubscriptionCancelled: async (event) => {
          const { id } = parseStream(event.stream)
          const { userId } = await kiwifySubscriptions.load(id, null)
          await run(event, userId ? [process.cancelRenewal(id, userId)] : [])
        },
      }),
    }),
    reactor({
      name: 'assign-on-entitlement-claimed',
      category: 'entitlement',
      on: (run) => ({
        EntitlementClaimed: async (event) => {
          const claimed = await entitlements.load(parseStream(event.stream).id, null)
          await run(event, process.assignWaiting(event.data.userId, claimed))
        },
      }),
    }),
    reactor({
      name: 'attach-address-on-entitlement-claimed',
      category: 'entitlement',
      on: (run) => ({
        EntitlementClaimed: (event) =>
          run(event, process.attachAddress(parseStream(event.stream).id, event.data.userId)),
      }),
    }),
  ]
}

interface PurchaseReactor {
  name: string
  category: Category
  on: (run: (event: Stored, steps: readonly process.Step[]) => Promise<void>) => Reactor['on']
}

const purchaseFacts = ({ handlers, box, soldPlanOf }: PurchaseDeps) => {
  const { orders, kiwifySubscriptions, entitlements, subscriptions } = handlers

  /** `asOf`: position of the requesting event. */
  const deliveryFacts = async (received: ReceivedDelivery, asOf: Position): Promise<process.DeliveryFacts> => {
    const deliveryId = parseStream(received.stream).id
    const body = bodyOf(received)
    if (body.state !== 'order') {
      const buyerKeys = body.emails.map((email) => buyerKeyOf(box, email))
      return { deliveryId, body, report: null, buyerKeys }
    }
    const { buyer, productId } = body.report
    const report = reportedBy(body.report, {
      deliveryId,
      occurredAt: occurredAt(body.report, received.metadata.recordedAt),
      ...soldAs(await soldPlanOf(productId, asOf)),
      buyerKey: buyer.email === null ? null : buyerKeyOf(box, buyer.email),
    })
    return { deliveryId, body, report, buyerKeys: [] }
  }

  const subscriptionOf = async ({ subscriptionId }: Order) =>
    subscriptionId === null ? undefined : kiwifySubscriptions.load(subscriptionId, null)

  const siblingsOf = async ({ orderId, order }: process.OrderFacts): Promise<process.Siblings> => {
    const siblings: [string, Order][] = []
    for (const id of (await subscriptionOf(order))?.orders ?? []) {
      const other = id === orderId ? undefined : await orders.load(id, null)
      if (other && other.plan.productId === order.plan.productId) siblings.push([id, other])
    }
    return siblings
  }

  const buyerFacts = async (order: Order): Promise<process.BuyerFacts> => {
    const { token, buyerKey } = order
    const subscriber = await subscriptionOf(order)
    const userId = subscriber?.userId
    return {
      subscriber,
      isSubscriberErased: userId ? (await subscriptions.load(userId, userId)).isErased : false,
      ofToken: token === null ? undefined : accountOfToken(box, token),
      ofAddress: buyerKey === null ? null : (await entitlements.load(buyerKey, null)).userId,
    }
  }

  const orderFacts = async (stream: string): Promise<process.OrderFacts> => {
    const orderId = parseStream(stream).id
    const order = await orders.load(orderId, null)
    return { orderId, order, buyer: order.userId === null ? await buyerFacts(order) : undefined }
  }

  return { deliveryFacts, orderFacts, siblingsOf }
}

/** Kiwify's times have whole minutes; some are missing. */
const occurredAt = ({ kind, approvedAt, refundedAt, createdAt }: OrderReport, receivedAt: Instant): Instant =>
  (kind === 'order_refunded' ? refundedAt : approvedAt) ?? createdAt ?? receivedAt

/** The previous version requires a number. */
const daysWithoutPlan = 30

const soldAs = (plan: SoldPlan | null): Pick<OrderReported, 'accessDays' | 'planName' | 'isWithoutPlan'> => {
  if (plan === null) return { accessDays: daysWithoutPlan, isWithoutPlan: true }
  const { planName, accessDays } = plan
  return { accessDays, ...(planName !== null && { planName }) }
}

const reportedBy = (
  { buyer, createdAt: _, approvedAt: __, refundedAt: ___, orderId: ____, ...report }: OrderReport,
  about: Pick<OrderReported, 'deliveryId' | 'occurredAt' | 'accessDays' | 'planName' | 'isWithoutPlan' | 'buyerKey'>,
): OrderReported => ({
  ...report,
  ...about,
  buyerName: buyer.name,
  buyerEmail: buyer.email,
  buyerDocument: buyer.document,
})
