import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import type { ReadSide } from '@prosa/product/process/open-ports'

/** Everybody has access, and nobody a role. */
export const noReadSide: ReadSide = {
  prepare: async () => undefined,
  roles: () => ({ of: async () => [] }),
  entitlements: (_pool, _rules, clock) => memoryEntitlements(clock, { ...noPlanRules, afterEnd: 'ended' }),
}
