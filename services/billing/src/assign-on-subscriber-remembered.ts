import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { accepted, type BillingHandlers } from './handlers.ts'

const name = 'assign-on-subscriber-remembered'

/** Assigns the subscription's orders and its cancellation. */
export const assignOnSubscriberRemembered = ({
  orders,
  kiwifySubscriptions,
  subscriptions,
}: BillingHandlers): Reactor => {
  const cancel = async (subscriptionId: string, userId: string, context: CommandContext) =>
    accepted(
      await subscriptions(userId, { type: 'CancelRenewal', data: { subscriptionId } }, { ...context, owner: userId }),
    )

  return {
    name,
    categories: ['kiwifySubscription'],
    key: ({ stream }) => stream,
    on: {
      async SubscriberRemembered(event) {
        const { userId } = event.data
        const context = contextFor(name, event)
        const subscriptionId = parseStream(event.stream).id
        const known = await kiwifySubscriptions.load(subscriptionId, null)
        for (const orderId of known.orders)
          accepted(await orders(orderId, { type: 'AssignOrder', data: { userId, by: 'subscription' } }, context))
        if (known.isCancelled) await cancel(subscriptionId, userId, context)
      },
      async SubscriptionCancelled(event) {
        const subscriptionId = parseStream(event.stream).id
        const { userId } = await kiwifySubscriptions.load(subscriptionId, null)
        if (userId) await cancel(subscriptionId, userId, contextFor(name, event))
      },
    },
  }
}
