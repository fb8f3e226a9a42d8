import type { EventOf } from '@prosa/contracts/events/all-events'
import type { entitlementEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/domain/decider'

export type EntitlementCommand =
  | { type: 'AwaitBuyer'; data: { orderId: string } }
  /** A delivery that is about no order names the address. */
  | { type: 'SeeDelivery'; data: { deliveryId: string } }
  /** An order names the address and is an account's, be it the buyer's own or another. */
  | { type: 'SeeOrder'; data: { orderId: string } }
  /** The address was proved to be the user's. */
  | { type: 'ClaimEntitlement'; data: { userId: string } }
  /** The user has the address no more. */
  | { type: 'ReleaseEntitlement'; data: { userId: string } }
  /** With the account that has the address, or, where none has it, on the buyer's request. */
  | { type: 'EraseBuyer'; data: { userId: string | null } }

export type EntitlementEvent = EventOf<typeof entitlementEvents>

export interface Entitlement {
  /** Every order that waited here, be it that it was assigned since. */
  waiting: ReadonlySet<string>
  deliveryIds: ReadonlySet<string>
  /** Orders that are an account's for another reason than the address. */
  orderIds: ReadonlySet<string>
  /** Whoever proved the address last: it may have moved from one account to another. */
  userId: string | null
  /** Whoever had the address was erased, and nobody has proved it since. */
  isErased: boolean
}

/** What was bought with one e-mail address, until somebody proves to have it and as long as they have it. */
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
