import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { accepted, type BillingHandlers } from '../handlers.ts'
import type { EraseBuyer } from './erase-buyer.ts'

const name = 'forget-buyer-on-user-erased'

/** That there was a charge, and its amount, remain. */
export const forgetBuyerOnUserErased = ({ subscriptions }: BillingHandlers, erase: EraseBuyer): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const context = contextFor(name, event)
      const userId = parseStream(event.stream).id
      const erased = await subscriptions(userId, { type: 'EraseSubscriber', data: {} }, { ...context, tenant: userId })
      const { orders, addresses } = accepted(erased)
      for (const orderId of orders) await erase.order(orderId, { ...context, tenant: null })
      for (const buyerKey of addresses) await erase.address(buyerKey, userId, { ...context, tenant: null })
    },
  },
})
