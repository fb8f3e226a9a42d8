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
const accessOf = (held: Granting): Given => {
  const { grants, cancelled, removal, shown } = held
  const unpaid = unpaidAccessOf(held)
  const paid = latestOf(removal ? paidSince(removal, grants) : grants.values())
  const isCancelled = paid !== null && paid.subscriptionId !== null && cancelled.has(paid.subscriptionId)
  const access: Given =
    paid !== null && (unpaid.endsAt === null || isLater(paid.until, unpaid.endsAt))
      ? { endsAt: paid.until, status: isCancelled ? 'cancelled' : 'active', by: 'order' }
      : unpaid
  return shown && shown.endsAt === access.endsAt ? { ...access, status: shown.status } : access
}

const accessAt = (held: Subscription, at: Instant): Access => {
  const { endsAt, status } = accessOf(held)
  const isOver = held.hasEnded || endsAt === null || !isLater(endsAt, at)
  return { endsAt, status: isOver ? 'expired' : status }
}

const isAccount = ({ trialEndsAt, grants, isErased }: Subscription) =>
  (trialEndsAt !== null || grants.size > 0) && !isErased

const withGrant = <G extends Granting>(held: G, orderId: string, grant: Grant): G => ({
  ...held,
  grants: new Map([...held.grants, [orderId, grant]]),
})

/** For refunded orders. */
const nothing: Grant = { until: null, subscriptionId: null, productId: null }

const withoutGrant = (grants: ReadonlyMap<string, Grant>, orderId: string) =>
  new Map([...grants].filter(([each]) => each !== orderId))

const moved = (held: Subscription, endsAt: Instant | null): Subscription => ({
  ...held,
  endsAt,
  hasEnded: endsAt === null || (held.hasEnded && held.endsAt === endsAt),
})

const decided = (
  held: Subscription,
  { decision, endsAt, status, at }: Omit<AccessSet, 'before'> & { at: Instant },
): SubscriptionEvent[] => {
  const before = accessAt(held, at)
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
    StartTrial: (held, { endsAt }) => (held.trialEndsAt ? [] : [{ type: 'TrialStarted', data: { endsAt } }]),

    WithholdTrial: (held, { at }) => {
      if (held.trialEndsAt !== null && !isLater(held.trialEndsAt, at)) return []
      const access = accessOf({ ...held, trialEndsAt: at, isTrialWithheld: true })
      return [{ type: 'TrialWithheld', data: { at, ...access } }]
    },

    GrantAccess: (held, { orderId, subscriptionId, productId, until: asked }) => {
      const known = held.grants.get(orderId)
      if (known?.until === null) return []
      const until = known && !isLater(asked, known.until) ? known.until : asked
      // The product, which sets limits, may have changed.
      if (known && until === known.until && (productId === null || productId === known.productId)) return []
      const access = accessOf(withGrant(held, orderId, { until, subscriptionId, productId }))
      return [{ type: 'AccessGranted', data: { orderId, subscriptionId, productId, until, ...access } }]
    },

    RevokeAccess: (held, { orderId, cause }) => {
      const known = held.grants.get(orderId)
      if (known?.until === null) return []
      const access = accessOf(withGrant(held, orderId, { ...nothing, subscriptionId: known?.subscriptionId ?? null }))
      return [{ type: 'AccessRevoked', data: { orderId, cause, ...access } }]
    },

    AttachOrder: ({ orders }, { orderId }) =>
      orders.has(orderId) ? [] : [{ type: 'OrderAttached', data: { orderId } }],

    DetachOrder: (held, { orderId }) => {
      if (!held.orders.has(orderId)) return []
      const detached: SubscriptionEvent = { type: 'OrderDetached', data: { orderId } }
      if (!held.grants.get(orderId)?.until) return [detached]
      const access = accessOf({ ...held, grants: withoutGrant(held.grants, orderId) })
      return [{ type: 'AccessRevoked', data: { orderId, cause: 'moved', ...access } }, detached]
    },

    AttachAddress: ({ addresses }, data) => (addresses.has(data.buyerKey) ? [] : [{ type: 'AddressAttached', data }]),

    EraseSubscriber: ({ isErased }) => (isErased ? [] : [{ type: 'SubscriberErased', data: {} }]),

    CancelRenewal: (held, { subscriptionId }) => {
      if (held.cancelled.has(subscriptionId)) return []
      const { status } = accessOf({ ...held, cancelled: new Set([...held.cancelled, subscriptionId]) })
      return [{ type: 'RenewalCancelled', data: { subscriptionId, status } }]
    },

    EndAccess: (held, { at }) => {
      const { endsAt, hasEnded } = held
      if (endsAt === null || hasEnded || Date.parse(at) < Date.parse(endsAt)) return []
      return [{ type: accessOf(held).by === 'trial' ? 'TrialEnded' : 'AccessEnded', data: {} }]
    },

    ExtendAccess: (held, { until, at }) => {
      if (!isAccount(held)) return { rejected: 'user_not_found' }
      const { endsAt, status } = accessAt(held, at)
      if (status !== 'expired' && endsAt !== null && isLater(endsAt, until)) return { rejected: 'access_lasts_longer' }
      return decided(held, { decision: 'extended', endsAt: until, status: 'active', at })
    },

    SetAccessStatus: (held, { status, at }) => {
      if (!isAccount(held)) return { rejected: 'user_not_found' }
      const { endsAt, status: before } = accessAt(held, at)
      if (status === before) return []
      if (status === 'expired') return decided(held, { decision: 'status_set', endsAt: at, status, at })
      if (before === 'expired' || endsAt === null) return { rejected: 'access_has_ended' }
      return decided(held, { decision: 'status_set', endsAt, status, at })
    },

    RemoveAccess: (held, { at }) => {
      if (!isAccount(held)) return { rejected: 'user_not_found' }
      if (accessAt(held, at).status === 'expired') return []
      return decided(held, { decision: 'removed', endsAt: at, status: 'expired', at })
    },
  },
  evolve: {
    TrialStarted: (held, { endsAt }) => {
      const started = { ...held, trialEndsAt: endsAt }
      return moved(started, accessOf(started).endsAt)
    },
    TrialEnded: (held) => ({ ...held, hasEnded: true }),
    OrderAttached: (held, { orderId }) => ({ ...held, orders: new Set([...held.orders, orderId]) }),
    OrderDetached: (held, { orderId }) => ({
      ...held,
      orders: new Set([...held.orders].filter((each) => each !== orderId)),
      grants: withoutGrant(held.grants, orderId),
    }),
    AddressAttached: (held, { buyerKey }) => ({ ...held, addresses: new Set([...held.addresses, buyerKey]) }),
    SubscriberErased: (held) => ({ ...held, isErased: true }),
    TrialWithheld: (held, { at, endsAt }) => moved({ ...held, trialEndsAt: at, isTrialWithheld: true }, endsAt),
    AccessGranted: (held, { orderId, subscriptionId, productId, until, endsAt }) =>
      moved(withGrant(held, orderId, { until, subscriptionId, productId }), endsAt),
    AccessRevoked: (held, { orderId, endsAt }) => moved(withGrant(held, orderId, nothing), endsAt),
    RenewalCancelled: (held, { subscriptionId }) => ({
      ...held,
      cancelled: new Set([...held.cancelled, subscriptionId]),
    }),
    AccessEnded: (held) => ({ ...held, hasEnded: true }),
    AccessSet: (held, { decision, endsAt, status }) => {
      const set = { ...held, endsAt, hasEnded: status === 'expired', shown: null }
      if (status === 'expired') return { ...set, removal: { endsAt, grantsThen: held.grants }, extendedTo: null }
      return decision === 'extended' ? { ...set, extendedTo: endsAt } : { ...set, shown: { endsAt, status } }
    },
  },
}
