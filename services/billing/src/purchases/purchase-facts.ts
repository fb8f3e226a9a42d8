import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Position } from '@prosa/kernel/event-store/port'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { OrderReported } from '@prosa/product/access/order-plan'
import type { Order } from '@prosa/product/access/order-state'
import { accountOfToken } from '@prosa/product/purchase-token'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import { bodyOf, type ReceivedDelivery } from '../deliveries/received-delivery.ts'
import type { BillingHandlers } from '../handlers.ts'
import type { OrderReport } from '../kiwify/read-body.ts'
import type { SoldPlanOf } from '../plans/plan-days.ts'
import type { SoldPlan } from '../plans/queries.ts'
import type { BuyerFacts, DeliveryFacts, OrderFacts, Siblings } from './purchase-process.ts'

export interface FactsDeps {
  handlers: BillingHandlers
  box: SecretBox
  soldPlanOf: SoldPlanOf
}

/** Reads what `purchase-process.ts` decides on. */
export const purchaseFacts = ({ handlers, box, soldPlanOf }: FactsDeps) => {
  const { orders, kiwifySubscriptions, entitlements, subscriptions } = handlers

  /** `asOf`: position of the requesting event. */
  const deliveryFacts = async (received: ReceivedDelivery, asOf: Position): Promise<DeliveryFacts> => {
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

  const siblingsOf = async ({ orderId, order }: OrderFacts): Promise<Siblings> => {
    const siblings: [string, Order][] = []
    for (const id of (await subscriptionOf(order))?.orders ?? []) {
      const other = id === orderId ? undefined : await orders.load(id, null)
      if (other && other.plan.productId === order.plan.productId) siblings.push([id, other])
    }
    return siblings
  }

  const buyerFacts = async (order: Order): Promise<BuyerFacts> => {
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

  const orderFacts = async (stream: string): Promise<OrderFacts> => {
    const orderId = parseStream(stream).id
    const order = await orders.load(orderId, null)
    return { orderId, order, buyer: order.userId === null ? await buyerFacts(order) : undefined }
  }

  /** Those whose address the account proved. */
  const boughtBy = async (userId: string, orderIds: Iterable<string>): Promise<ReadonlySet<string>> => {
    const bought = new Set<string>()
    for (const orderId of orderIds) {
      const { buyerKey } = await orders.load(orderId, null)
      if (buyerKey !== null && (await entitlements.load(buyerKey, null)).userId === userId) bought.add(orderId)
    }
    return bought
  }

  return { deliveryFacts, orderFacts, siblingsOf, boughtBy }
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
