import type { Usage } from '@prosa/contracts/http/accounts/usage'
import type { Instant } from '@prosa/contracts/values/instant'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import { later } from '@prosa/kernel/clock'
import type { AccountRules } from './plan-rules.ts'

export interface AccountFacts {
  /** Null for moments after the registration, before the free period begins. */
  endsAt: Instant | null
  /** False after revocation or refund: ends at once. */
  hasGrace: boolean
  isUnlimited: boolean
  /** In the month of São Paulo from `since`. */
  sent: { since: Instant; count: number }
  connections: number
  /** The address had a free period before, and nothing was paid or granted since. */
  isTrialWithheld: boolean
  /** From then on sending needs a confirmed address; null: not required. */
  confirmBy: Instant | null
}

/** Assumes the free period until the registration is processed. */
export const newAccount: AccountFacts = {
  endsAt: null,
  hasGrace: true,
  isUnlimited: false,
  sent: { since: '', count: 0 },
  connections: 0,
  isTrialWithheld: false,
  confirmBy: null,
}

export const graceMs = 3 * 24 * 3600 * 1000

/**
 * The ended plan's limits apply during the grace period; then the free plan or none. A cancelled renewal changes nothing before the paid
 * period ends.
 */
export const entitlementOf = (facts: AccountFacts, rules: AccountRules, now: Instant): Usage => {
  const { endsAt, hasGrace, isUnlimited, sent, connections, isTrialWithheld } = facts
  const { limits, afterEnd } = rules
  const confirmEmailBy = rules.sendingNeedsConfirmedEmail ? facts.confirmBy : null
  const graceEndsAt = endsAt && (hasGrace ? later(endsAt, graceMs) : endsAt)
  const isOver = graceEndsAt !== null && now >= graceEndsAt
  const accessAfterEnd = afterEnd === 'ended' ? 'ended' : 'open'
  const accessByTime = endsAt === null || now < endsAt ? 'open' : isOver ? accessAfterEnd : 'grace'
  const plan = isOver ? 'free' : isUnlimited ? 'enterprise' : 'pro'
  const { from: periodStart } = saoPauloMonth(now)
  return {
    plan,
    access: afterEnd === 'unchanged' ? 'open' : accessByTime,
    afterEnd,
    endsAt,
    graceEndsAt,
    periodStart,
    messages: { used: sent.since === periodStart ? sent.count : 0, limit: limits[plan].messages },
    connections: { used: connections, limit: limits[plan].connections },
    limitsAfterEnd: limits.free,
    isTrialWithheld,
    confirmEmailBy,
    mustConfirmEmail: confirmEmailBy !== null && now >= confirmEmailBy,
  }
}
