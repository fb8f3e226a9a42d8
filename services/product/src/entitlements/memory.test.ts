import { randomUUID } from 'node:crypto'
import { contractRules, entitlementsContract } from './entitlements.contract.ts'
import { memoryEntitlements } from './memory.ts'

entitlementsContract('memory', async (clock) => {
  const entitlements = memoryEntitlements(clock, contractRules)
  const counted = async (tenant: string, more: number) => {
    const { used } = (await entitlements.of(tenant)).connections
    entitlements.change(tenant, { connections: used + more })
  }
  return {
    entitlements,
    beginTrial: async (tenant, endsAt) => entitlements.change(tenant, { endsAt }),
    pay: async (tenant, endsAt) => entitlements.change(tenant, { endsAt, hasGrace: true, isTrialWithheld: false }),
    takeAway: async (tenant, endsAt) => entitlements.change(tenant, { endsAt, hasGrace: false }),
    withholdTrial: async (tenant, endsAt) =>
      entitlements.change(tenant, { endsAt, hasGrace: false, isTrialWithheld: true }),
    demandConfirmation: async (tenant, confirmBy) => entitlements.change(tenant, { confirmBy }),
    confirm: async (tenant) => entitlements.change(tenant, { confirmBy: null }),
    send: async (tenant) => entitlements.countMessage(tenant, clock.now()),
    async addConnection(tenant) {
      await counted(tenant, 1)
      return { remove: () => counted(tenant, -1) }
    },
    newTenant: randomUUID,
  }
})
