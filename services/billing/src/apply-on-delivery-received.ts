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
/** Under which the keys of deliveries are parked that could not be acted on. */
export const applyWorker = `reactor ${name}`

/** When it happened, as far as Kiwify says so: its times have whole minutes, and some bodies lack one. */
const occurredAt = ({ kind, approvedAt, refundedAt, createdAt }: OrderReport, receivedAt: Instant): Instant =>
  (kind === 'order_refunded' ? refundedAt : approvedAt) ?? createdAt ?? receivedAt

/** Stored with orders whose product no plan names: a process of the version before cannot do without. */
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

/**
 * Acts on what Kiwify delivered, once that is stored: whatever goes wrong here, nothing has to be sent again. And acts on it once
 * more when an administrator has it reprocessed: the code or a plan may have been mended since.
 */
export const applyOnDeliveryReceived = (
  { deliveries, orders, kiwifySubscriptions, entitlements }: BillingHandlers,
  box: Pick<SecretBox, 'fingerprint'>,
  soldPlanOf: SoldPlanOf,
  findReceived: FindReceived,
  erase: Pick<EraseBuyer, 'delivery'>,
): Reactor => {
  /** What names an address and no order belongs to whom the address belongs to; of somebody who was erased nothing stays. */
  const attachToBuyer = async (deliveryId: string, email: string, context: CommandContext) => {
    const command = { type: 'SeeDelivery', data: { deliveryId } } as const
    const { isErased } = accepted(await entitlements(buyerKeyOf(box, email), command, context))
    if (isErased) await erase.delivery(deliveryId)
  }

  /** `asOf`: the place of the event that asks for it. */
  const apply = async (received: ReceivedDelivery, asOf: Position, context: CommandContext) => {
    const deliveryId = parseStream(received.stream).id
    const body = bodyOf(received)
    if (body.state === 'order') {
      const { report } = body
      const { orderId, subscriptionId, buyer } = report
      // The subscription first: whoever learns whose it is finds all of its orders.
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
