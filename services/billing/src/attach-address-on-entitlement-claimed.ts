import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { EraseBuyer } from './erase-buyer.ts'
import { accepted, type BillingHandlers } from './handlers.ts'

const name = 'attach-address-on-entitlement-claimed'

/** Stores keyed hashes: addresses are unreadable after erasure. */
export const attachAddressOnEntitlementClaimed = (
  { subscriptions }: Pick<BillingHandlers, 'subscriptions'>,
  erase: Pick<EraseBuyer, 'address'>,
): Reactor => ({
  name,
  categories: ['entitlement'],
  key: ({ stream }) => stream,
  on: {
    async EntitlementClaimed(event) {
      const { userId } = event.data
      const context = contextFor(name, event)
      const buyerKey = parseStream(event.stream).id
      const attach = { type: 'AttachAddress', data: { buyerKey } } as const
      const attached = accepted(await subscriptions(userId, attach, { ...context, owner: userId }))
      if (attached.isErased) await erase.address(buyerKey, userId, { ...context, owner: null })
    },
  },
})
