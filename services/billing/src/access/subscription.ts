import type { Instant } from '@prosa/contracts/values/instant'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { WarnedPercent } from '@prosa/contracts/values/plan'
import type { Decider } from '@prosa/kernel/domain/decider'
import { type Access, accessOf, isLater, nothing, withGrant, withoutGrant } from '@prosa/product/access/access'
import {
  evolveSubscription,
  noSubscription,
  type Subscription,
  type SubscriptionEvent,
} from '@prosa/product/access/subscription-state'

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
  | { type: 'WarnOfLimit'; data: { percent: WarnedPercent; used: number; limit: number; periodStart: Instant } }
  /** By administrators. */
  | { type: 'ExtendAccess'; data: { until: Instant; at: Instant } }
  | { type: 'SetAccessStatus'; data: { status: SubscriptionStatus; at: Instant } }
  | { type: 'RemoveAccess'; data: { at: Instant } }

export type SubscriptionRefusal = 'unexpected' | 'user_not_found' | 'access_has_ended' | 'access_lasts_longer'

type AccessSet = Extract<SubscriptionEvent, { type: 'AccessSet' }>['data']

const accessAt = (state: Subscription, at: Instant): Access => {
  const { endsAt, status } = accessOf(state)
  const isOver = state.hasEnded || endsAt === null || !isLater(endsAt, at)
  return { endsAt, status: isOver ? 'expired' : status }
}

const isAccount = ({ trialEndsAt, grants, isErased }: Subscription) =>
  (trialEndsAt !== null || grants.size > 0) && !isErased

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
  initial: noSubscription,
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

    WarnOfLimit: ({ isErased, warned }, data) => {
      const { periodStart, limit, percent } = data
      const isGiven = warned.of.some((each) => each.limit === limit && each.percent >= percent)
      // The clock of another process may lag at the turn of a month.
      const isOver = warned.periodStart > periodStart
      return isErased || isOver || (warned.periodStart === periodStart && isGiven)
        ? []
        : [{ type: 'LimitWarned', data }]
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
  evolve: evolveSubscription,
}
