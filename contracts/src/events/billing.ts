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

/** As Kiwify names its orders and subscriptions; UUIDs so far, which nobody promises. */
const kiwifyId = z.string().regex(/^[\w.-]{1,100}$/)

/** Until when access lasts after this, whatever gives it; null where nothing does. */
const endsAt = instant.nullable()

/** What gives that access, of which the latest counts; absent where nothing does, and in events before 2026-11-25. */
const by = z.enum(['trial', 'order', 'decision']).optional()

/** The stream `webhookDelivery-<keyed hash of the bytes>`: the same bytes again are the same delivery. */
export const webhookDeliveryEvents = {
  /**
   * A request with a right signature came in; it was answered only after this. `body` holds its bytes in base64 until
   * `expiresAt`.
   */
  DeliveryReceived: z.object({
    endpoint: webhookEndpoint,
    body: personal(z.string(), erasedText),
    bytes: z.int().nonnegative(),
    expiresAt: instant,
  }),
  /** The very same bytes came in once more. */
  DeliveryRepeated: z.object({ endpoint: webhookEndpoint }),
  /** The order that the body reports on was brought up to date with it. */
  DeliveryApplied: z.object({ kind: orderEventKind, orderId: kiwifyId }),
  /** The body was understood and changes nothing, for this reason. */
  DeliveryIgnored: z.object({
    reason: z.enum([
      'test_button',
      'abandoned_cart',
      'wrapped',
      'list',
      'unknown_event',
      'not_an_object',
      /** It was acted on only after its bytes were erased. */
      'body_gone',
    ]),
    kind: kiwifyEventKind.nullable(),
  }),
  /** The body could not be understood: `field` is where, null where it is no JSON. */
  DeliveryUnreadable: z.object({ field: z.string().nullable() }),
  /** An administrator had it acted on once more: what it means is settled anew after this. */
  DeliveryReprocessed: z.object({}),
  /** The time for which raw deliveries are kept was over: the key of its bytes is destroyed after this. */
  DeliveryExpired: z.object({}),
}

const refusedCount = z.object({ endpoint: webhookEndpoint, reason: refusalReason, count: z.int().positive() })

/** The stream `refusedDeliveries-kiwify`: what could not be verified. Each of them is counted beside the log (decision 0058). */
export const refusedDeliveryEvents = {
  /** Deliveries had been refused since the report before, which is an hour ago or longer. */
  DeliveriesRefused: z.object({
    /** Whose key locks the addresses. */
    reportId: z.string(),
    count: z.int().positive(),
    causes: z.array(refusedCount),
    /** Until where they are counted: all of the hours before this one ('2026-11-25T12', UTC), and so many of this one. */
    hour: z.string(),
    countedInHour: z.array(refusedCount),
    /** Those that most came from, and how often within the hours that this report is about. */
    addresses: personal(z.array(z.object({ address: z.string(), count: z.int().positive() })), []),
    /** When a delivery was last accepted; null where none ever was. */
    lastAcceptedAt: instant.nullable(),
    nextReportAt: instant,
    expiresAt: instant,
  }),
  /** An hour had passed since the last report, and nothing was refused in it. */
  RefusalsCeased: z.object({}),
  /** The time for which the addresses of a report are kept was over: their key is destroyed after this. */
  RefusalAddressesExpired: z.object({ reportId: z.string() }),
}

/** The stream `order-<Kiwify's order id>`: one charge. Each renewal of a subscription is an order of its own. */
export const orderEvents = {
  /** Kiwify reported something new of the order. The first report of each kind counts, and each that prolongs the period. */
  OrderReported: z.object({
    deliveryId: z.string(),
    kind: orderEventKind,
    orderRef: z.string().nullable(),
    subscriptionId: kiwifyId.nullable(),
    productId: z.string().nullable(),
    productName: z.string().nullable(),
    /** What the buyer paid, interest of instalments included. */
    amountCents: amountCents.nullable(),
    paymentMethod: z.string().nullable(),
    /** When Kiwify says that it happened; our own clock where it does not say. */
    occurredAt: instant,
    accessUntil: instant.nullable(),
    /** For how many days the plan of the product gives access, as it was when this was reported; 30 where none names the product. */
    accessDays: z.int().positive(),
    /** How the plan was called; absent where none names the product, and in events before 2026-11-25. */
    planName: z.string().optional(),
    /** No plan names the product: it opens nothing. Before 2026-11-25 such an order gave 30 days, and keeps them. */
    isWithoutPlan: z.literal(true).optional(),
    /** Names the account whose purchase link was used. Whoever buys may edit it. */
    token: z.string().nullable(),
    /** A keyed hash of the buyer's address; null where none was given. */
    buyerKey: z.string().nullable(),
    buyerName: personal(z.string().nullable(), erasedText),
    buyerEmail: personal(z.string().nullable(), erasedText),
    buyerDocument: personal(z.string().nullable(), erasedText),
  }),
  /** A delivery reported nothing new of the order: its bytes name the buyer all the same, and go with the buyer. */
  OrderDeliveryAttached: z.object({ deliveryId: z.string() }),
  /** It became known whose purchase the order is, or an administrator decided it: `formerUserId` had it until then. */
  OrderAssigned: z.object({
    userId,
    by: z.enum(['token', 'subscription', 'email', 'administrator']),
    formerUserId: userId.optional(),
  }),
  /**
   * No plan named the product, and an administrator decided which plan the order is of, or it follows another order of its subscription
   * at Kiwify. `planId` and `planName` are null where that one had no plan either, and gave 30 days as all such orders once did.
   */
  OrderPlanAssigned: z.object({
    planId: z.string().nullable(),
    planName: z.string().nullable(),
    productId: z.string().nullable(),
    accessDays: z.int().positive(),
    by: z.enum(['administrator', 'subscription']),
  }),
  /** An administrator took the transaction out of lists and sums: the order itself, and what it gives, stay as they are. */
  OrderHidden: z.object({}),
  /** The buyer was erased: the facts of the charge stay, as tax law asks; the keys of the person's data are destroyed after this. */
  OrderBuyerErased: z.object({}),
  /**
   * The order turned out to be paid by somebody who had been erased before: a charge that somebody has to end or give back at Kiwify.
   * Nothing in it is about a person.
   */
  ErasedBuyerCharged: z.object({
    orderRef: z.string().nullable(),
    subscriptionId: kiwifyId.nullable(),
    amountCents: amountCents.nullable(),
  }),
}

/** The stream `kiwifySubscription-<Kiwify's subscription id>`: whose renewals these are. */
export const kiwifySubscriptionEvents = {
  /** An order of the subscription was reported for the first time. */
  SubscriptionOrderSeen: z.object({ orderId: kiwifyId }),
  /**
   * It became known which account the subscription pays for, or an administrator moved one of its orders to another: its later
   * orders need neither token nor address. `isDecided` where it was an administrator; absent from what was moved before 25 November 2026.
   */
  SubscriberRemembered: z.object({ userId, isDecided: z.literal(true).optional() }),
  /** Kiwify reported that it will not charge the subscription again. */
  SubscriptionCancelled: z.object({}),
}

/** The stream `entitlement-<keyed hash of an e-mail address>`: what was bought with an address. */
export const entitlementEvents = {
  /** An order came in that names no account: it waits for whoever proves to have the address. */
  PurchaseWaiting: z.object({ orderId: kiwifyId }),
  /** The user proved to read the address' mail: what was and is bought with it is this account's. */
  EntitlementClaimed: z.object({ userId }),
  /** The account left the address, or was erased: what is bought with it from now on waits for the next who proves to have it. */
  EntitlementReleased: z.object({ userId }),
  /** A delivery that is about no order, as of an abandoned cart, names the address: its bytes go with the buyer. */
  BuyerDeliverySeen: z.object({ deliveryId: z.string() }),
  /** An order names the address that is an account's for another reason: what it holds of its buyer goes with the buyer. */
  BuyerOrderSeen: z.object({ orderId: kiwifyId }),
  /** Whoever has the address was erased: the keys of what waits under it are destroyed after this, and those of what comes later. */
  BuyerErased: z.object({}),
}

/** What a plan offers, as it stands on its card and in Kiwify. */
const planOffer = z.object({
  planId: z.string(),
  planName: z.string(),
  productId: z.string(),
  productName: z.string(),
  accessDays: z.int().positive(),
  /** As text: 'R$ 97,00 por mês' and 'Consulte' are prices alike. */
  price: z.string(),
  description: z.string(),
  purchaseUrl: z.string().nullable(),
})

/** The stream `plan-<id>`, whose id follows from the plan's `planId`: two plans cannot have the same one. */
export const planEvents = {
  /** An administrator put a plan on offer. */
  PlanCreated: planOffer,
  /** An administrator changed what the plan offers, `before` until then; orders that were reported keep their days. */
  PlanRevised: planOffer.extend({ before: planOffer }),
  /** An administrator took the plan off the offer; nobody's access changes by it. */
  PlanDeleted: z.object({ planId: z.string(), planName: z.string() }),
}

/** The stream `subscription-<userId>`: what an account may use and until when. */
export const subscriptionEvents = {
  /** A new account began its free period, without a card. */
  TrialStarted: z.object({ endsAt: instant }),
  /**
   * The account's address had its free period with another account before: this one begins without, or loses what was left of it when
   * it moves to that address. The free period ends at `at`; what was paid or given counts on.
   */
  TrialWithheld: z.object({ at: instant, endsAt, status: subscriptionStatus, by }),
  /** The free period was over, by our clock. */
  TrialEnded: z.object({}),
  /** An order turned out to be this account's, paid or not. */
  OrderAttached: z.object({ orderId: kiwifyId }),
  /** An administrator moved an order to another account. */
  OrderDetached: z.object({ orderId: kiwifyId }),
  /** The user proved to have an address, of which this is the keyed hash: what is bought with it goes with the account. */
  AddressAttached: z.object({ buyerKey: z.string() }),
  /** The account was erased: what its orders hold of the buyer goes with it, also of those that come later. */
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
  /** The money of an order went back: it gives nothing any more, whatever is reported of it later. Or it was moved to another account. */
  AccessRevoked: z.object({
    orderId: kiwifyId,
    cause: z.enum(['refund', 'chargeback', 'moved']),
    endsAt,
    status: subscriptionStatus,
    by,
  }),
  /** Kiwify will not charge this subscription again; what is paid for lasts until its end. */
  RenewalCancelled: z.object({ subscriptionId: kiwifyId, status: subscriptionStatus }),
  /** The paid or given time was over, by our clock. */
  AccessEnded: z.object({}),
  /**
   * An administrator set until when access lasts, or what its status is: this outweighs everything that was known by then, until
   * another decision or a payment for a later date. Where the status is 'expired', access ended at `endsAt`.
   */
  AccessSet: z.object({
    decision: z.enum(['extended', 'status_set', 'removed']),
    before: z.object({ endsAt, status: subscriptionStatus }),
    endsAt: instant,
    status: subscriptionStatus,
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
