import { z } from 'zod'
import { userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import {
  kiwifyEventKind,
  orderEventKind,
  refusalReason,
  subscriptionStatus,
  webhookEndpoint,
} from '../values/kiwify.ts'
import { amountCents } from '../values/money.ts'
import { erasedText, personal } from '../values/personal.ts'
import { warnedPercents } from '../values/plan.ts'

/** UUIDs so far, without guarantee. */
const kiwifyId = z.string().regex(/^[\w.-]{1,100}$/)

/** End of access after this event; null without access. */
const endsAt = instant.nullable()

/** Source of that access. Absent without access, and before 2026-11-25. */
const by = z.enum(['trial', 'order', 'decision']).optional()

/** Stream `webhookDelivery-<keyed hash of the bytes>`: same bytes, same delivery. */
export const webhookDeliveryEvents = {
  /** A signed request arrived; recorded before the reply. `body`: base64, until `expiresAt`. */
  DeliveryReceived: z.object({
    endpoint: webhookEndpoint,
    body: personal(z.string(), erasedText),
    bytes: z.int().nonnegative(),
    expiresAt: instant,
  }),
  /** The same bytes arrived again. */
  DeliveryRepeated: z.object({ endpoint: webhookEndpoint }),
  /** It was applied to its order. */
  DeliveryApplied: z.object({ kind: orderEventKind, orderId: kiwifyId }),
  /** It was understood and changes nothing. */
  DeliveryIgnored: z.object({
    reason: z.enum([
      'test_button',
      'abandoned_cart',
      'wrapped',
      'list',
      'unknown_event',
      'not_an_object',
      /** Erased before processing. */
      'body_gone',
    ]),
    kind: kiwifyEventKind.nullable(),
  }),
  /** It could not be read. `field` is null without valid JSON. */
  DeliveryUnreadable: z.object({ field: z.string().nullable() }),
  /** An administrator had it processed again; later events replace the outcome. */
  DeliveryReprocessed: z.object({}),
  /** Its retention ended; the key of its bytes is destroyed after this. */
  DeliveryExpired: z.object({}),
}

const refusedCount = z.object({ endpoint: webhookEndpoint, reason: refusalReason, count: z.int().positive() })

/** Stream `refusedDeliveries-kiwify`. Single refusals are counted outside the log (docs/decisions/0058). */
export const refusedDeliveryEvents = {
  /** Deliveries were refused since the last report, at least an hour ago. */
  DeliveriesRefused: z.object({
    /** Its key encrypts the addresses. */
    reportId: z.string(),
    count: z.int().positive(),
    causes: z.array(refusedCount),
    /** Counted until here: hours before `hour` ('2026-11-25T12', UTC), and `countedInHour`. */
    hour: z.string(),
    countedInHour: z.array(refusedCount),
    /** Most frequent addresses of this report. */
    addresses: personal(z.array(z.object({ address: z.string(), count: z.int().positive() })), []),
    lastAcceptedAt: instant.nullable(),
    nextReportAt: instant,
    expiresAt: instant,
  }),
  /** An hour after a report passed without refusals. */
  RefusalsCeased: z.object({}),
  /** The addresses' retention ended; their key is destroyed after this. */
  RefusalAddressesExpired: z.object({ reportId: z.string() }),
}

/** Stream `order-<Kiwify's order id>`: one charge; renewals are separate orders. */
export const orderEvents = {
  /** Kiwify reported something new: the first report of each kind, or a longer period. */
  OrderReported: z.object({
    deliveryId: z.string(),
    kind: orderEventKind,
    orderRef: z.string().nullable(),
    subscriptionId: kiwifyId.nullable(),
    productId: z.string().nullable(),
    productName: z.string().nullable(),
    /** Paid, including interest. */
    amountCents: amountCents.nullable(),
    paymentMethod: z.string().nullable(),
    /** Kiwify's time, else our clock. */
    occurredAt: instant,
    accessUntil: instant.nullable(),
    /** The plan's days when reported; 30 without a plan. */
    accessDays: z.int().positive(),
    /** Absent without a plan, and before 2026-11-25. */
    planName: z.string().optional(),
    /** No plan names the product: no access. Before 2026-11-25: 30 days. */
    isWithoutPlan: z.literal(true).optional(),
    /** Account of the purchase link. Untrusted: the buyer may edit it. */
    token: z.string().nullable(),
    /** Keyed hash of the buyer's address. */
    buyerKey: z.string().nullable(),
    buyerName: personal(z.string().nullable(), erasedText),
    buyerEmail: personal(z.string().nullable(), erasedText),
    buyerDocument: personal(z.string().nullable(), erasedText),
  }),
  /** A delivery reported nothing new; its bytes are erased with the buyer. */
  OrderDeliveryAttached: z.object({ deliveryId: z.string() }),
  /** The order got an account, automatically or by an administrator; `formerUserId` had it. */
  OrderAssigned: z.object({
    userId,
    by: z.enum(['token', 'subscription', 'email', 'administrator']),
    formerUserId: userId.optional(),
  }),
  /** An administrator chose its plan, or it follows its subscription. Nulls: that order had no plan and gave 30 days. */
  OrderPlanAssigned: z.object({
    planId: z.string().nullable(),
    planName: z.string().nullable(),
    productId: z.string().nullable(),
    accessDays: z.int().positive(),
    by: z.enum(['administrator', 'subscription']),
  }),
  /** An administrator hid it from lists and sums, without other effects. */
  OrderHidden: z.object({}),
  /** An administrator brought a hidden one back into lists and sums. */
  OrderShown: z.object({}),
  /** The buyer was erased: the charge stays for tax law; the buyer's keys are destroyed after this. */
  OrderBuyerErased: z.object({}),
  /** An erased buyer was charged: end or refund it at Kiwify. Holds no personal data. */
  ErasedBuyerCharged: z.object({
    orderRef: z.string().nullable(),
    subscriptionId: kiwifyId.nullable(),
    amountCents: amountCents.nullable(),
  }),
}

/** Stream `kiwifySubscription-<Kiwify's subscription id>`. */
export const kiwifySubscriptionEvents = {
  /** The first report of an order arrived. */
  SubscriptionOrderSeen: z.object({ orderId: kiwifyId }),
  /** Its account became known; later orders need no token or address. `isDecided`: by an administrator; absent before 2026-11-25. */
  SubscriberRemembered: z.object({ userId, isDecided: z.literal(true).optional() }),
  /** Kiwify will not charge it again. */
  SubscriptionCancelled: z.object({}),
}

/** Stream `entitlement-<keyed hash of an e-mail address>`: its purchases. */
export const entitlementEvents = {
  /** An order without account waits for the account that confirms the address. */
  PurchaseWaiting: z.object({ orderId: kiwifyId }),
  /** The user confirmed the address: its purchases belong to this account. */
  EntitlementClaimed: z.object({ userId }),
  /** The account left the address or was erased: later purchases wait for the next account. */
  EntitlementReleased: z.object({ userId }),
  /** A delivery without order names the address; its bytes are erased with the buyer. */
  BuyerDeliverySeen: z.object({ deliveryId: z.string() }),
  /** An account's order names the address; its buyer data is erased with the buyer. */
  BuyerOrderSeen: z.object({ orderId: kiwifyId }),
  /** The buyer was erased: keys of waiting and later purchases are destroyed. */
  BuyerErased: z.object({}),
}

const planOffer = z.object({
  planId: z.string(),
  planName: z.string(),
  productId: z.string(),
  productName: z.string(),
  accessDays: z.int().positive(),
  /** Free text: 'R$ 97,00 por mês' or 'Consulte'. */
  price: z.string(),
  description: z.string(),
  purchaseUrl: z.string().nullable(),
})

/** Stream `plan-<id>`; the id derives from `planId`, so that is unique. */
export const planEvents = {
  /** An administrator created a plan. */
  PlanCreated: planOffer,
  /** An administrator changed the plan. Reported orders keep their days. */
  PlanRevised: planOffer.extend({ before: planOffer }),
  /** An administrator deleted the plan; access does not change. */
  PlanDeleted: z.object({ planId: z.string(), planName: z.string() }),
}

/** Stream `subscription-<userId>`. */
export const subscriptionEvents = {
  /** A new account began its trial. */
  TrialStarted: z.object({ endsAt: instant }),
  /** The address had a trial with another account: this trial ends at `at`. Other access stays. */
  TrialWithheld: z.object({ at: instant, endsAt, status: subscriptionStatus, by }),
  /** The trial ended by our clock. */
  TrialEnded: z.object({}),
  /** An order was assigned to this account, paid or not. */
  OrderAttached: z.object({ orderId: kiwifyId }),
  /** An administrator moved an order away. */
  OrderDetached: z.object({ orderId: kiwifyId }),
  /** The user confirmed an address; its purchases are erased with the account. */
  AddressAttached: z.object({ buyerKey: z.string() }),
  /** The account was erased: so is buyer data of its orders, also later ones. */
  SubscriberErased: z.object({}),
  /** A paid order gives access until `until`. */
  AccessGranted: z.object({
    orderId: kiwifyId,
    subscriptionId: kiwifyId.nullable(),
    productId: z.string().nullable(),
    until: instant,
    endsAt,
    status: subscriptionStatus,
    by,
  }),
  /** The order was refunded, for good, or moved to another account. */
  AccessRevoked: z.object({
    orderId: kiwifyId,
    cause: z.enum(['refund', 'chargeback', 'moved']),
    endsAt,
    status: subscriptionStatus,
    by,
  }),
  /** Kiwify will not charge again; paid access lasts until its end. */
  RenewalCancelled: z.object({ subscriptionId: kiwifyId, status: subscriptionStatus }),
  /** Paid or granted access ended by our clock. */
  AccessEnded: z.object({}),
  /**
   * An administrator set end or status, overriding everything known, until another decision or a payment for a later date. 'expired': ended
   * at `endsAt`.
   */
  AccessSet: z.object({
    decision: z.enum(['extended', 'status_set', 'removed']),
    before: z.object({ endsAt, status: subscriptionStatus }),
    endsAt: instant,
    status: subscriptionStatus,
  }),
  /** So much of the month's messages is used; once for each percentage of a limit in a month. */
  LimitWarned: z.object({
    percent: z.literal(warnedPercents),
    used: z.int().nonnegative(),
    limit: z.int().positive(),
    periodStart: instant,
  }),
}

export const billingEvents = {
  ...webhookDeliveryEvents,
  ...refusedDeliveryEvents,
  ...orderEvents,
  ...kiwifySubscriptionEvents,
  ...entitlementEvents,
  ...planEvents,
  ...subscriptionEvents,
}
