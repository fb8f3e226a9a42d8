import type { Usage } from '@prosa/contracts/http/usage'
import type { Instant } from '@prosa/contracts/values/instant'
import { saoPauloMonth } from '@prosa/contracts/values/sao-paulo'
import { later } from '../clock.ts'
import type { AccountRules } from './plan-rules.ts'

/** What is known of an account. */
export interface AccountFacts {
  /** When what was paid or given ends, or ended; null before the free period has begun, moments after the registration. */
  endsAt: Instant | null
  /** False where access was taken away, by an administrator or because the money went back: then it ends at once. */
  hasGrace: boolean
  /** What was paid for is a plan without limits. */
  isUnlimited: boolean
  /** Messages sent in the month of São Paulo that began at `since`. */
  sent: { since: Instant; count: number }
  connections: number
  /** The account has no free period, as its address had one with another account, and nothing was paid or given since. */
  isTrialWithheld: boolean
  /** From when on nothing is sent without the confirmation of the address; null where that is confirmed, or was never demanded. */
  confirmBy: Instant | null
}

/** Nothing is known yet of an account whose registration was a moment ago. It begins with the free period, and so it counts. */
export const newAccount: AccountFacts = {
  endsAt: null,
  hasGrace: true,
  isUnlimited: false,
  sent: { since: '', count: 0 },
  connections: 0,
  isTrialWithheld: false,
  confirmBy: null,
}

/** Whoever forgot to pay goes on for so long after the end. */
export const graceMs = 3 * 24 * 3600 * 1000

/**
 * What an account may do at a moment. Until the end of the grace the limits are those of the plan that ended: else most of what it
 * allows would be refused. After it the account has the free plan, or nothing, as the rules have it. A renewal that was cancelled
 * changes nothing before the end of what was paid.
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
    isTrialWithheld,
    confirmEmailBy,
    mustConfirmEmail: confirmEmailBy !== null && now >= confirmEmailBy,
  }
}
