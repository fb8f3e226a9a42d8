import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'

interface Grant {
  until: Instant | null
  subscriptionId: string | null
  productId: string | null
}

export interface Access {
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

/** All that access follows from. */
export interface Granting {
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
}

export const isLater = (one: Instant, other: Instant) => Date.parse(one) > Date.parse(other)

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
export const accessOf = (state: Granting): Given => {
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

export const withGrant = <G extends Granting>(state: G, orderId: string, grant: Grant): G => ({
  ...state,
  grants: new Map([...state.grants, [orderId, grant]]),
})

/** For refunded orders. */
export const nothing: Grant = { until: null, subscriptionId: null, productId: null }

export const withoutGrant = (grants: ReadonlyMap<string, Grant>, orderId: string) =>
  new Map([...grants].filter(([each]) => each !== orderId))
