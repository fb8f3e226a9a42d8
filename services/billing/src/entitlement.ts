import type { EventOf } from '@prosa/contracts/events/all-events'
import type { entitlementEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/domain/decider'

export type EntitlementCommand =
  | { type: 'AwaitBuyer'; data: { orderId: string } }
  /** The address was proved to be the user's. */
  | { type: 'ClaimEntitlement'; data: { userId: string } }

export type EntitlementEvent = EventOf<typeof entitlementEvents>

export interface Entitlement {
  waiting: ReadonlySet<string>
  /** Whoever proved the address last: it may have moved from one account to another. */
  userId: string | null
}

/** What was bought with one e-mail address, until somebody proves to have it and from then on. */
export const entitlement: Decider<EntitlementCommand, EntitlementEvent, Entitlement, 'unexpected'> = {
  initial: { waiting: new Set(), userId: null },
  decide: {
    AwaitBuyer: ({ waiting }, data) => (waiting.has(data.orderId) ? [] : [{ type: 'PurchaseWaiting', data }]),
    ClaimEntitlement: (held, { userId }) =>
      held.userId === userId ? [] : [{ type: 'EntitlementClaimed', data: { userId } }],
  },
  evolve: {
    PurchaseWaiting: (held, { orderId }) => ({ ...held, waiting: new Set([...held.waiting, orderId]) }),
    EntitlementClaimed: (held, { userId }) => ({ ...held, userId }),
  },
}
