import type { EventOf } from '@prosa/contracts/events/all-events'
import type { entitlementEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/domain/decider'

export type EntitlementCommand =
  | { type: 'AwaitBuyer'; data: { orderId: string } }
  /** A delivery without an order names the address. */
  | { type: 'SeeDelivery'; data: { deliveryId: string } }
  /** The order already belongs to an account. */
  | { type: 'SeeOrder'; data: { orderId: string } }
  | { type: 'ClaimEntitlement'; data: { userId: string } }
  | { type: 'ReleaseEntitlement'; data: { userId: string } }
  /** With its account, or on request if there is none. */
  | { type: 'EraseBuyer'; data: { userId: string | null } }

export type EntitlementEvent = EventOf<typeof entitlementEvents>

export interface Entitlement {
  /** All orders that waited here, even if assigned since. */
  waiting: ReadonlySet<string>
  deliveryIds: ReadonlySet<string>
  /** Assigned by another reason than the address. */
  orderIds: ReadonlySet<string>
  /** The account that proved the address last. */
  userId: string | null
  /** The holder was erased, and nobody proved it since. */
  isErased: boolean
}

/** Purchases made with one e-mail address. */
export const entitlement: Decider<EntitlementCommand, EntitlementEvent, Entitlement, 'unexpected'> = {
  initial: { waiting: new Set(), deliveryIds: new Set(), orderIds: new Set(), userId: null, isErased: false },
  decide: {
    AwaitBuyer: ({ waiting }, data) => (waiting.has(data.orderId) ? [] : [{ type: 'PurchaseWaiting', data }]),
    SeeDelivery: ({ deliveryIds }, data) =>
      deliveryIds.has(data.deliveryId) ? [] : [{ type: 'BuyerDeliverySeen', data }],
    SeeOrder: ({ orderIds }, data) => (orderIds.has(data.orderId) ? [] : [{ type: 'BuyerOrderSeen', data }]),
    ClaimEntitlement: (held, { userId }) =>
      held.userId === userId ? [] : [{ type: 'EntitlementClaimed', data: { userId } }],
    ReleaseEntitlement: (held, { userId }) =>
      held.userId === userId ? [{ type: 'EntitlementReleased', data: { userId } }] : [],
    EraseBuyer: (held, { userId }) => {
      if (held.isErased || held.userId !== userId) return []
      const released: EntitlementEvent[] = userId === null ? [] : [{ type: 'EntitlementReleased', data: { userId } }]
      return [{ type: 'BuyerErased', data: {} }, ...released]
    },
  },
  evolve: {
    PurchaseWaiting: (held, { orderId }) => ({ ...held, waiting: new Set([...held.waiting, orderId]) }),
    BuyerDeliverySeen: (held, { deliveryId }) => ({
      ...held,
      deliveryIds: new Set([...held.deliveryIds, deliveryId]),
    }),
    BuyerOrderSeen: (held, { orderId }) => ({ ...held, orderIds: new Set([...held.orderIds, orderId]) }),
    EntitlementClaimed: (held, { userId }) => ({ ...held, userId, isErased: false }),
    EntitlementReleased: (held) => ({ ...held, userId: null }),
    BuyerErased: (held) => ({ ...held, isErased: true }),
  },
}
