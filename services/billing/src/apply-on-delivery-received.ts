import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { buyerKeyOf } from './buyer-key.ts'
import type { EraseBuyer } from './erase-buyer.ts'
import { accepted, type BillingHandlers } from './handlers.ts'
import type { OrderReport } from './kiwify/read-body.ts'
import type { OrderReported } from './order-plan.ts'
import type { SoldPlanOf } from './plan-days.ts'
import type { SoldPlan } from './queries.ts'
import { bodyOf, type FindReceived, type ReceivedDelivery } from './received-delivery.ts'

const name = 'apply-on-delivery-received'
/** Parked deliveries have keys with this prefix. */
export const applyWorker = `reactor ${name}`

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

/** Applied after storage, so failures need no resend; again when an administrator reprocesses. */
export const applyOnDeliveryReceived = (
  { deliveries, orders, kiwifySubscriptions, entitlements }: BillingHandlers,
  box: Pick<SecretBox, 'fingerprint'>,
  soldPlanOf: SoldPlanOf,
  findReceived: FindReceived,
  erase: Pick<EraseBuyer, 'delivery'>,
): Reactor => {
  /** Belongs to the address's holder, or is destroyed if they were erased. */
  const attachToBuyer = async (deliveryId: string, email: string, context: CommandContext) => {
    const command = { type: 'SeeDelivery', data: { deliveryId } } as const
    const { isErased } = accepted(await entitlements(buyerKeyOf(box, email), command, context))
    if (isErased) await erase.delivery(deliveryId)
  }

  /** `asOf`: position of the requesting event. */
  const apply = async (received: ReceivedDelivery, asOf: Position, context: CommandContext) => {
    const deliveryId = parseStream(received.stream).id
    const body = bodyOf(received)
    if (body.state === 'order') {
      const { report } = body
      const { orderId, subscriptionId, buyer } = report
      // First, so that a subscriber found later gets all orders.
      if (subscriptionId !== null) {
        accepted(await kiwifySubscriptions(subscriptionId, { type: 'SeeOrder', data: { orderId } }, context))
        if (report.kind === 'subscription_canceled')
          accepted(await kiwifySubscriptions(subscriptionId, { type: 'NoteCancellation', data: {} }, context))
      }
      const data = reportedBy(report, {
        deliveryId,
        occurredAt: occurredAt(report, received.metadata.recordedAt),
        ...soldAs(await soldPlanOf(report.productId, asOf)),
        buyerKey: buyer.email === null ? null : buyerKeyOf(box, buyer.email),
      })
      const { isBuyerErased } = accepted(await orders(orderId, { type: 'ReportOrder', data }, context))
      if (isBuyerErased) await erase.delivery(deliveryId)
    } else {
      for (const email of body.emails) await attachToBuyer(deliveryId, email, context)
    }
    accepted(await deliveries(deliveryId, { type: 'SettleDelivery', data: { body } }, context))
  }

  return {
    name,
    categories: ['webhookDelivery'],
    key: ({ stream }) => stream,
    on: {
      DeliveryReceived: (event) => apply(event, event.position, contextFor(name, event)),
      DeliveryReprocessed: async (event) =>
        apply(await findReceived(event.stream), event.position, contextFor(name, event)),
    },
  }
}
