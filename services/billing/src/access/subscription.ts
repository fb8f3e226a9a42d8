import type { EventOf } from '@prosa/contracts/events/all-events'
import type { subscriptionEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Decider } from '@prosa/kernel/domain/decider'
import { type Access, accessOf, type Granting, isLater, nothing, withGrant, withoutGrant } from './access.ts'

export type SubscriptionCommand =
  | { type: 'StartTrial'; data: { endsAt: Instant } }
  /** The address had its trial with another account. */
  | { type: 'WithholdTrial'; data: { at: Instant } }
  /** An earlier date was known before. */
  | {
      type: 'GrantAccess'
      data: { orderId: string; subscriptionId: string | null; productId: string | null; until: Instant }
    }
  | { type: 'RevokeAccess'; data: { orderId: string; cause: 'refund' | 'chargeback' } }
  | { type: 'AttachOrder'; data: { orderId: string } }
  | { type: 'DetachOrder'; data: { orderId: string } }
  | { type: 'AttachAddress'; data: { buyerKey: string } }
  | { type: 'EraseSubscriber'; data: Record<never, never> }
  | { type: 'CancelRenewal'; data: { subscriptionId: string } }
  /** `at` is now; ignored if too early. */
  | { type: 'EndAccess'; data: { at: Instant } }
  /** By administrators. */
  | { type: 'ExtendAccess'; data: { until: Instant; at: Instant } }
  | { type: 'SetAccessStatus'; data: { status: SubscriptionStatus; at: Instant } }
  | { type: 'RemoveAccess'; data: { at: Instant } }

export type SubscriptionRefusal = 'unexpected' | 'user_not_found' | 'access_has_ended' | 'access_lasts_longer'

export type SubscriptionEvent = EventOf<typeof subscriptionEvents>
type AccessSet = Extract<SubscriptionEvent, { type: 'AccessSet' }>['data']

export interface Subscription extends Granting {
  /** Paid or not. */
  orders: ReadonlySet<string>
  /** Keyed hashes of proved addresses. */
  addresses: ReadonlySet<string>
  isErased: boolean
  endsAt: Instant | null
  hasEnded: boolean
}

const accessAt = (state: Subscription, at: Instant): Access => {
  const { endsAt, status } = accessOf(state)
  const isOver = state.hasEnded || endsAt === null || !isLater(endsAt, at)
  return { endsAt, status: isOver ? 'expired' : status }
}

const isAccount = ({ trialEndsAt, grants, isErased }: Subscription) =>
  (trialEndsAt !== null || grants.size > 0) && !isErased

const moved = (state: Subscription, endsAt: Instant | null): Subscription => ({
  ...state,
  endsAt,
  hasEnded: endsAt === null || (state.hasEnded && state.endsAt === endsAt),
})

const decided = (
  state: Subscription,
  { decision, endsAt, status, at }: Omit<AccessSet, 'before'> & { at: Instant },
): SubscriptionEvent[] => {
  const before = accessAt(state, at)
  if (before.endsAt === endsAt && before.status === status) return []
  return [{ type: 'AccessSet', data: { decision, before, endsAt, status } }]
}

/** Set to a date, never added to: repeated payments grant nothing twice. */
export const subscription: Decider<SubscriptionCommand, SubscriptionEvent, Subscription, SubscriptionRefusal> = {
  initial: {
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
  },
  decide: {
    StartTrial: (state, { endsAt }) => (state.trialEndsAt ? [] : [{ type: 'TrialStarted', data: { endsAt } }]),

    WithholdTrial: (state, { at }) => {
      if (state.trialEndsAt !== null && !isLater(state.trialEndsAt, at)) return []
      const access = accessOf({ ...state, trialEndsAt: at, isTrialWithheld: true })
      return [{ type: 'TrialWithheld', data: { at, ...access } }]
    },

    GrantAccess: (state, { orderId, subscriptionId, productId, until: asked }) => {
      const known = state.grants.get(orderId)
      if (known?.until === null) return []
      const until = known && !isLater(asked, known.until) ? known.until : asked
      // The product, which sets limits, may have changed.
      if (known && until === known.until && (productId === null || productId === known.productId)) return []
      const access = accessOf(withGrant(state, orderId, { until, subscriptionId, productId }))
      return [{ type: 'AccessGranted', data: { orderId, subscriptionId, productId, until, ...access } }]
    },

    RevokeAccess: (state, { orderId, cause }) => {
      const known = state.grants.get(orderId)
      if (known?.until === null) return []
      const access = accessOf(withGrant(state, orderId, { ...nothing, subscriptionId: known?.subscriptionId ?? null }))
      return [{ type: 'AccessRevoked', data: { orderId, cause, ...access } }]
    },

    AttachOrder: ({ orders }, { orderId }) =>
      orders.has(orderId) ? [] : [{ type: 'OrderAttached', data: { orderId } }],

    DetachOrder: (state, { orderId }) => {
      if (!state.orders.has(orderId)) return []
      const detached: SubscriptionEvent = { type: 'OrderDetached', data: { orderId } }
      if (!state.grants.get(orderId)?.until) return [detached]
      const access = accessOf({ ...state, grants: withoutGrant(state.grants, orderId) })
      return [{ type: 'AccessRevoked', data: { orderId, cause: 'moved', ...access } }, detached]
    },

    AttachAddress: ({ addresses }, data) => (addresses.has(data.buyerKey) ? [] : [{ type: 'AddressAttached', data }]),

    EraseSubscriber: ({ isErased }) => (isErased ? [] : [{ type: 'SubscriberErased', data: {} }]),

    CancelRenewal: (state, { subscriptionId }) => {
      if (state.cancelled.has(subscriptionId)) return []
      const { status } = accessOf({ ...state, cancelled: new Set([...state.cancelled, subscriptionId]) })
      return [{ type: 'RenewalCancelled', data: { subscriptionId, status } }]
    },

    EndAccess: (state, { at }) => {
      const { endsAt, hasEnded } = state
      if (endsAt === null || hasEnded || Date.parse(at) < Date.parse(endsAt)) return []
      return [{ type: accessOf(state).by === 'trial' ? 'TrialEnded' : 'AccessEnded', data: {} }]
    },

    ExtendAccess: (state, { until, at }) => {
      if (!isAccount(state)) return { rejected: 'user_not_found' }
      const { endsAt, status } = accessAt(state, at)
      if (status !== 'expired' && endsAt !== null && isLater(endsAt, until)) return { rejected: 'access_lasts_longer' }
      return decided(state, { decision: 'extended', endsAt: until, status: 'active', at })
    },

    SetAccessStatus: (state, { status, at }) => {
      if (!isAccount(state)) return { rejected: 'user_not_found' }
      const { endsAt, status: before } = accessAt(state, at)
      if (status === before) return []
      if (status === 'expired') return decided(state, { decision: 'status_set', endsAt: at, status, at })
      if (before === 'expired' || endsAt === null) return { rejected: 'access_has_ended' }
      return decided(state, { decision: 'status_set', endsAt, status, at })
    },

    RemoveAccess: (state, { at }) => {
      if (!isAccount(state)) return { rejected: 'user_not_found' }
      if (accessAt(state, at).status === 'expired') return []
      return decided(state, { decision: 'removed', endsAt: at, status: 'expired', at })
    },
  },
  evolve: {
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
    AccessEnded: (state) => ({ ...state, hasEnded: true }),
    AccessSet: (state, { decision, endsAt, status }) => {
      const set = { ...state, endsAt, hasEnded: status === 'expired', shown: null }
      if (status === 'expired') return { ...set, removal: { endsAt, grantsThen: state.grants }, extendedTo: null }
      return decision === 'extended' ? { ...set, extendedTo: endsAt } : { ...set, shown: { endsAt, status } }
    },
  },
}
