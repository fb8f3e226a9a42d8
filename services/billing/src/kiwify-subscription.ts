import type { EventOf } from '@prosa/contracts/events/all-events'
import type { kiwifySubscriptionEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/domain/decider'

export type KiwifySubscriptionCommand =
  | { type: 'SeeOrder'; data: { orderId: string } }
  | { type: 'RememberSubscriber'; data: { userId: string } }
  /** Renewals follow the moved order. */
  | { type: 'MoveSubscriber'; data: { userId: string } }
  | { type: 'NoteCancellation'; data: Record<never, never> }

export type KiwifySubscriptionEvent = EventOf<typeof kiwifySubscriptionEvents>

export interface KiwifySubscription {
  orders: ReadonlySet<string>
  userId: string | null
  /** By an administrator: overrides purchase links on renewals. */
  isDecided: boolean
  isCancelled: boolean
}

export const kiwifySubscription: Decider<
  KiwifySubscriptionCommand,
  KiwifySubscriptionEvent,
  KiwifySubscription,
  'unexpected'
> = {
  initial: { orders: new Set(), userId: null, isDecided: false, isCancelled: false },
  decide: {
    SeeOrder: ({ orders }, data) => (orders.has(data.orderId) ? [] : [{ type: 'SubscriptionOrderSeen', data }]),
    RememberSubscriber: (state, data) => (state.userId ? [] : [{ type: 'SubscriberRemembered', data }]),
    MoveSubscriber: (state, data) =>
      state.userId === data.userId && state.isDecided
        ? []
        : [{ type: 'SubscriberRemembered', data: { ...data, isDecided: true } }],
    NoteCancellation: ({ isCancelled }) => (isCancelled ? [] : [{ type: 'SubscriptionCancelled', data: {} }]),
  },
  evolve: {
    SubscriptionOrderSeen: (state, { orderId }) => ({ ...state, orders: new Set([...state.orders, orderId]) }),
    // Only administrators moved one before `isDecided` existed.
    SubscriberRemembered: (state, { userId, isDecided = state.userId !== null }) => ({ ...state, userId, isDecided }),
    SubscriptionCancelled: (state) => ({ ...state, isCancelled: true }),
  },
}
