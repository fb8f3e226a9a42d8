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
    RememberSubscriber: (held, data) => (held.userId ? [] : [{ type: 'SubscriberRemembered', data }]),
    MoveSubscriber: (held, data) =>
      held.userId === data.userId && held.isDecided
        ? []
        : [{ type: 'SubscriberRemembered', data: { ...data, isDecided: true } }],
    NoteCancellation: ({ isCancelled }) => (isCancelled ? [] : [{ type: 'SubscriptionCancelled', data: {} }]),
  },
  evolve: {
    SubscriptionOrderSeen: (held, { orderId }) => ({ ...held, orders: new Set([...held.orders, orderId]) }),
    // Only administrators moved one before `isDecided` existed.
    SubscriberRemembered: (held, { userId, isDecided = held.userId !== null }) => ({ ...held, userId, isDecided }),
    SubscriptionCancelled: (held) => ({ ...held, isCancelled: true }),
  },
}
