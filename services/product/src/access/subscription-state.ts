import type { EventOf } from '@prosa/contracts/events/all-events'
import type { subscriptionEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import type { WarnedPercent } from '@prosa/contracts/values/plan'
import type { Decider } from '@prosa/kernel/domain/decider'
import { accessOf, type Granting, nothing, withGrant, withoutGrant } from './access.ts'

export type SubscriptionEvent = EventOf<typeof subscriptionEvents>

export interface Subscription extends Granting {
  /** Paid or not. */
  orders: ReadonlySet<string>
  /** Keyed hashes of proved addresses. */
  addresses: ReadonlySet<string>
  isErased: boolean
  endsAt: Instant | null
  hasEnded: boolean
  /** What of the latest month was warned of. */
  warned: { periodStart: Instant; of: readonly { limit: number; percent: WarnedPercent }[] }
}

export const noSubscription: Subscription = {
  trialEndsAt: null,
  isTrialWithheld: false,
  grants: new Map(),
  cancelled: new Set(),
  removal: null,
  extendedTo: null,
  shown: null,
  orders: new Set(),
  addresses: new Set(),
  isErased: false,
  endsAt: null,
  hasEnded: false,
  warned: { periodStart: '', of: [] },
}

const moved = (state: Subscription, endsAt: Instant | null): Subscription => ({
  ...state,
  endsAt,
  hasEnded: endsAt === null || (state.hasEnded && state.endsAt === endsAt),
})

/** What access follows from: billing decides by it, the timeline explains by it. */
export const evolveSubscription: Decider<never, SubscriptionEvent, Subscription, never>['evolve'] = {
  TrialStarted: (state, { endsAt }) => {
    const started = { ...state, trialEndsAt: endsAt }
    return moved(started, accessOf(started).endsAt)
  },
  TrialEnded: (state) => ({ ...state, hasEnded: true }),
  OrderAttached: (state, { orderId }) => ({ ...state, orders: new Set([...state.orders, orderId]) }),
  OrderDetached: (state, { orderId }) => ({
    ...state,
    orders: new Set([...state.orders].filter((each) => each !== orderId)),
    grants: withoutGrant(state.grants, orderId),
  }),
  AddressAttached: (state, { buyerKey }) => ({ ...state, addresses: new Set([...state.addresses, buyerKey]) }),
  SubscriberErased: (state) => ({ ...state, isErased: true }),
  TrialWithheld: (state, { at, endsAt }) => moved({ ...state, trialEndsAt: at, isTrialWithheld: true }, endsAt),
  AccessGranted: (state, { orderId, subscriptionId, productId, until, endsAt }) =>
    moved(withGrant(state, orderId, { until, subscriptionId, productId }), endsAt),
  AccessRevoked: (state, { orderId, endsAt }) => moved(withGrant(state, orderId, nothing), endsAt),
  RenewalCancelled: (state, { subscriptionId }) => ({
    ...state,
    cancelled: new Set([...state.cancelled, subscriptionId]),
  }),
  LimitWarned: (state, { periodStart, limit, percent }) => ({
    ...state,
    warned: {
      periodStart,
      of: [...(state.warned.periodStart === periodStart ? state.warned.of : []), { limit, percent }],
    },
  }),
  AccessEnded: (state) => ({ ...state, hasEnded: true }),
  AccessSet: (state, { decision, endsAt, status }) => {
    const set = { ...state, endsAt, hasEnded: status === 'expired', shown: null }
    if (status === 'expired') return { ...set, removal: { endsAt, grantsThen: state.grants }, extendedTo: null }
    return decision === 'extended' ? { ...set, extendedTo: endsAt } : { ...set, shown: { endsAt, status } }
  },
}
