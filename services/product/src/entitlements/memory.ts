import type { Instant } from '@prosa/contracts/values/instant'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import type { Clock } from '@prosa/kernel/clock'
import { type AccountFacts, entitlementOf, newAccount } from './entitlement-of.ts'
import { type AccountRules, noPlanRules } from './plan-rules.ts'
import type { Entitlements } from './port.ts'

export interface MemoryEntitlements extends Entitlements {
  change(tenant: string, changed: Partial<Omit<AccountFacts, 'sent'>>): void
  countMessage(tenant: string, at: Instant): void
}

/** For tests. Allows everything without rules. */
export const memoryEntitlements = (clock: Clock, rules: AccountRules = noPlanRules): MemoryEntitlements => {
  const accounts = new Map<string, AccountFacts>()
  const factsOf = (tenant: string) => accounts.get(tenant) ?? newAccount
  return {
    of: async (tenant) => entitlementOf(factsOf(tenant), rules, clock.now()),
    change: (tenant, changed) => void accounts.set(tenant, { ...factsOf(tenant), ...changed }),
    countMessage(tenant, at) {
      const facts = factsOf(tenant)
      const { from: since } = saoPauloMonth(at)
      const count = facts.sent.since === since ? facts.sent.count : 0
      accounts.set(tenant, { ...facts, sent: { since, count: count + 1 } })
    },
  }
}
