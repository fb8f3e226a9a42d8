import { randomUUID } from 'node:crypto'
import { contractRules, entitlementsContract } from './entitlements.contract.ts'
import { memoryEntitlements } from './memory.ts'

entitlementsContract('memory', async (clock) => {
  const entitlements = memoryEntitlements(clock, contractRules)
  const counted = async (owner: string, more: number) => {
    const { used } = (await entitlements.of(owner)).connections
    entitlements.change(owner, { connections: used + more })
  }
  return {
    entitlements,
    beginTrial: async (owner, endsAt) => entitlements.change(owner, { endsAt }),
    pay: async (owner, endsAt) => entitlements.change(owner, { endsAt, hasGrace: true, isTrialWithheld: false }),
    takeAway: async (owner, endsAt) => entitlements.change(owner, { endsAt, hasGrace: false }),
    withholdTrial: async (owner, endsAt) =>
      entitlements.change(owner, { endsAt, hasGrace: false, isTrialWithheld: true }),
    demandConfirmation: async (owner, confirmBy) => entitlements.change(owner, { confirmBy }),
    confirm: async (owner) => entitlements.change(owner, { confirmBy: null }),
    send: async (owner) => entitlements.countMessage(owner, clock.now()),
    async addConnection(owner) {
      await counted(owner, 1)
      return { remove: () => counted(owner, -1) }
    },
    newOwner: randomUUID,
  }
})
