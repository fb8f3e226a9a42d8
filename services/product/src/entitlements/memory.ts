import type { Instant } from '@prosa/contracts/values/instant'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import type { Clock } from '@prosa/kernel/clock'
import { type AccountFacts, entitlementOf, newAccount } from './entitlement-of.ts'
import { type AccountRules, noPlanRules } from './plan-rules.ts'
import type { Entitlements } from './port.ts'

export interface MemoryEntitlements extends Entitlements {
  change(owner: string, changed: Partial<Omit<AccountFacts, 'sent'>>): void
  countMessage(owner: string, at: Instant): void
}

/** For tests. Allows everything without rules. */
export const memoryEntitlements = (clock: Clock, rules: AccountRules = noPlanRules): MemoryEntitlements => {
  const accounts = new Map<string, AccountFacts>()
  const factsOf = (owner: string) => accounts.get(owner) ?? newAccount
  return {
    of: async (owner) => entitlementOf(factsOf(owner), rules, clock.now()),
    change: (owner, changed) => void accounts.set(owner, { ...factsOf(owner), ...changed }),
    countMessage(owner, at) {
      const facts = factsOf(owner)
      const { from: since } = saoPauloMonth(at)
      const count = facts.sent.since === since ? facts.sent.count : 0
      accounts.set(owner, { ...facts, sent: { since, count: count + 1 } })
    },
  }
}
