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
    ClaimEntitlement: (state, { userId }) =>
      state.userId === userId ? [] : [{ type: 'EntitlementClaimed', data: { userId } }],
    ReleaseEntitlement: (state, { userId }) =>
      state.userId === userId ? [{ type: 'EntitlementReleased', data: { userId } }] : [],
    EraseBuyer: (state, { userId }) => {
      if (state.isErased || state.userId !== userId) return []
      const released: EntitlementEvent[] = userId === null ? [] : [{ type: 'EntitlementReleased', data: { userId } }]
      return [{ type: 'BuyerErased', data: {} }, ...released]
    },
  },
  evolve: {
    PurchaseWaiting: (state, { orderId }) => ({ ...state, waiting: new Set([...state.waiting, orderId]) }),
    BuyerDeliverySeen: (state, { deliveryId }) => ({
      ...state,
      deliveryIds: new Set([...state.deliveryIds, deliveryId]),
    }),
    BuyerOrderSeen: (state, { orderId }) => ({ ...state, orderIds: new Set([...state.orderIds, orderId]) }),
    EntitlementClaimed: (state, { userId }) => ({ ...state, userId, isErased: false }),
    EntitlementReleased: (state) => ({ ...state, userId: null }),
    BuyerErased: (state) => ({ ...state, isErased: true }),
  },
}
