import type { EventOf } from '@prosa/contracts/events/all-events'
import type { kiwifySubscriptionEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/domain/decider'

export type KiwifySubscriptionCommand =
  | { type: 'SeeOrder'; data: { orderId: string } }
  | { type: 'RememberSubscriber'; data: { userId: string } }
  /** An administrator moved one of its orders: the renewals follow. */
  | { type: 'MoveSubscriber'; data: { userId: string } }
  /** Kiwify will not charge it again. */
  | { type: 'NoteCancellation'; data: Record<never, never> }

export type KiwifySubscriptionEvent = EventOf<typeof kiwifySubscriptionEvents>

export interface KiwifySubscription {
  orders: ReadonlySet<string>
  userId: string | null
  isCancelled: boolean
}

/** One subscription at Kiwify: its orders, and the account that they pay for once that is known. */
export const kiwifySubscription: Decider<
  KiwifySubscriptionCommand,
  KiwifySubscriptionEvent,
  KiwifySubscription,
  'unexpected'
> = {
  initial: { orders: new Set(), userId: null, isCancelled: false },
  decide: {
    SeeOrder: ({ orders }, data) => (orders.has(data.orderId) ? [] : [{ type: 'SubscriptionOrderSeen', data }]),
    RememberSubscriber: (held, data) => (held.userId ? [] : [{ type: 'SubscriberRemembered', data }]),
    MoveSubscriber: (held, data) => (held.userId === data.userId ? [] : [{ type: 'SubscriberRemembered', data }]),
    NoteCancellation: ({ isCancelled }) => (isCancelled ? [] : [{ type: 'SubscriptionCancelled', data: {} }]),
  },
  evolve: {
    SubscriptionOrderSeen: (held, { orderId }) => ({ ...held, orders: new Set([...held.orders, orderId]) }),
    SubscriberRemembered: (held, { userId }) => ({ ...held, userId }),
    SubscriptionCancelled: (held) => ({ ...held, isCancelled: true }),
  },
}
