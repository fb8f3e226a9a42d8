import type { EventOf } from '@prosa/contracts/events/all-events'
import type { subscriptionEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Decider } from '@prosa/kernel/domain/decider'

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

interface Grant {
  until: Instant | null
  subscriptionId: string | null
  productId: string | null
}

interface Access {
  endsAt: Instant | null
  status: SubscriptionStatus
}

interface Given extends Access {
  by?: 'trial' | 'order' | 'decision'
}

/** With all grants of that moment. */
interface Removal {
  endsAt: Instant
  grantsThen: ReadonlyMap<string, Grant>
}

export interface Subscription {
  trialEndsAt: Instant | null
  isTrialWithheld: boolean
  /** By order; `until` is null after a refund. */
  grants: ReadonlyMap<string, Grant>
  cancelled: ReadonlySet<string>
  removal: Removal | null
  /** By an administrator, since any removal. */
  extendedTo: Instant | null
  /** Valid as long as access ends at that moment. */
  shown: { endsAt: Instant; status: SubscriptionStatus } | null
  /** Paid or not. */
  orders: ReadonlySet<string>
  /** Keyed hashes of proved addresses. */
  addresses: ReadonlySet<string>
  isErased: boolean
  endsAt: Instant | null
  hasEnded: boolean
}

type Granting = Pick<
  Subscription,
  'trialEndsAt' | 'isTrialWithheld' | 'grants' | 'cancelled' | 'removal' | 'extendedTo' | 'shown'
>

const isLater = (one: Instant, other: Instant) => Date.parse(one) > Date.parse(other)

const latestOf = (grants: Iterable<Grant>): (Grant & { until: Instant }) | null => {
  let best: (Grant & { until: Instant }) | null = null
  for (const { until, ...grant } of grants)
    if (until !== null && (best === null || isLater(until, best.until))) best = { ...grant, until }
  return best
}

/** Orders unknown at the removal; only these restore access. */
const paidSince = ({ grantsThen }: Removal, grants: ReadonlyMap<string, Grant>): Grant[] =>
  [...grants].flatMap(([orderId, grant]) => (grantsThen.has(orderId) ? [] : [grant]))

const unpaidAccessOf = ({ trialEndsAt, isTrialWithheld, removal, extendedTo }: Granting): Given => {
  const trialEnd = removal ? null : trialEndsAt
  if (extendedTo !== null && (trialEnd === null || !isLater(trialEnd, extendedTo)))
    return { endsAt: extendedTo, status: 'active', by: 'decision' }
  if (trialEnd !== null && isTrialWithheld) return { endsAt: trialEnd, status: 'expired' }
  if (trialEnd !== null) return { endsAt: trialEnd, status: 'active', by: 'trial' }
  if (removal) return { endsAt: removal.endsAt, status: 'expired', by: 'decision' }
  return { endsAt: null, status: 'expired' }
}

/** The latest of trial, orders and extension: paying never gives less. A removal cancels all known by then. Independent of event order. */
const accessOf = (state: Granting): Given => {
  const { grants, cancelled, removal, shown } = state
  const unpaid = unpaidAccessOf(state)
  const paid = latestOf(removal ? paidSince(removal, grants) : grants.values())
  const isCancelled = paid !== null && paid.subscriptionId !== null && cancelled.has(paid.subscriptionId)
  const access: Given =
    paid !== null && (unpaid.endsAt === null || isLater(paid.until, unpaid.endsAt))
      ? { endsAt: paid.until, status: isCancelled ? 'cancelled' : 'active', by: 'order' }
      : unpaid
  return shown && shown.endsAt === access.endsAt ? { ...access, status: shown.status } : access
}

const accessAt = (state: Subscription, at: Instant): Access => {
  const { endsAt, status } = accessOf(state)
  const isOver = state.hasEnded || endsAt === null || !isLater(endsAt, at)
  return { endsAt, status: isOver ? 'expired' : status }
}

const isAccount = ({ trialEndsAt, grants, isErased }: Subscription) =>
  (trialEndsAt !== null || grants.size > 0) && !isErased

const withGrant = <G extends Granting>(state: G, orderId: string, grant: Grant): G => ({
  ...state,
  grants: new Map([...state.grants, [orderId, grant]]),
})

/** For refunded orders. */
const nothing: Grant = { until: null, subscriptionId: null, productId: null }

const withoutGrant = (grants: ReadonlyMap<string, Grant>, orderId: string) =>
  new Map([...grants].filter(([each]) => each !== orderId))

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
