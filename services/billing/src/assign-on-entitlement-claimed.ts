import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { accepted, type BillingHandlers } from './handlers.ts'

const name = 'assign-on-entitlement-claimed'

/** Assigns purchases from before the address was proved. */
export const assignOnEntitlementClaimed = ({ orders, entitlements }: BillingHandlers): Reactor => ({
  name,
  categories: ['entitlement'],
  key: ({ stream }) => stream,
  on: {
    async EntitlementClaimed(event) {
      const { userId } = event.data
      const { waiting } = await entitlements.load(parseStream(event.stream).id, null)
      for (const orderId of waiting)
        accepted(await orders(orderId, { type: 'AssignOrder', data: { userId, by: 'email' } }, contextFor(name, event)))
    },
  },
})
