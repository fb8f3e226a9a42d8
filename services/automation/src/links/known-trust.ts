import type { EventOf } from '@prosa/contracts/events/all-events'
import type { subscriptionEvents } from '@prosa/contracts/events/billing'
import type { Reader } from '@prosa/kernel/domain/decider'

export interface KnownTrust {
  /** Orders that were paid and not refunded. */
  orders: ReadonlySet<string>
  /** An administrator extended the tenant's access. */
  isExtended: boolean
}

const nobody: KnownTrust = { orders: new Set(), isExtended: false }
const same = (state: KnownTrust) => state

const without = (state: KnownTrust, orderId: string): KnownTrust => ({
  ...state,
  orders: new Set([...state.orders].filter((each) => each !== orderId)),
})

/** Folded from billing's events; a trial does not count. */
export const knownTrust: Reader<EventOf<typeof subscriptionEvents>, KnownTrust> = {
  initial: nobody,
  evolve: {
    AccessGranted: (state, { orderId }) => ({ ...state, orders: new Set(state.orders).add(orderId) }),
    AccessRevoked: (state, { orderId }) => without(state, orderId),
    OrderDetached: (state, { orderId }) => without(state, orderId),
    AccessSet: (state, { decision, status }) => {
      // An administrator who ends access also revokes earlier trust.
      if (status === 'expired') return nobody
      return decision === 'extended' ? { ...state, isExtended: true } : state
    },
    SubscriberErased: () => nobody,
    TrialStarted: same,
    TrialEnded: same,
    TrialWithheld: same,
    OrderAttached: same,
    AddressAttached: same,
    RenewalCancelled: same,
    AccessEnded: same,
    LimitWarned: same,
  },
}

export const isKnownAccount = ({ orders, isExtended }: KnownTrust): boolean => orders.size > 0 || isExtended
