import { type Category, parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { EraseBuyer } from '../buyers/erase-buyer.ts'
import type { FindReceived } from '../deliveries/received-delivery.ts'
import { type FactsDeps, purchaseFacts } from './purchase-facts.ts'
import * as process from './purchase-process.ts'
import { stepRunner } from './run-steps.ts'

export interface PurchaseDeps extends FactsDeps {
  findReceived: FindReceived
  erase: Pick<EraseBuyer, 'order' | 'delivery' | 'address'>
}

/** Parked deliveries have keys with this prefix. */
export const applyWorker = 'reactor apply-on-delivery-received'

interface PurchaseReactor {
  name: string
  category: Category
  on: (run: (event: Stored, steps: readonly process.Step[]) => Promise<void>) => Reactor['on']
}

/** They wake `purchase-process.ts`: read what it decides on, run its steps. */
export const purchaseReactors = (deps: PurchaseDeps): Reactor[] => {
  const runSteps = stepRunner(deps.handlers, deps.erase)
  return [...ofDeliveriesAndOrders(deps), ...ofSubscriptionsAndAddresses(deps)].map(({ name, category, on }) => ({
    name,
    categories: [category],
    key: ({ stream }) => stream,
    on: on((event, steps) => runSteps(steps, contextFor(name, event))),
  }))
}

const ofDeliveriesAndOrders = (deps: PurchaseDeps): PurchaseReactor[] => {
  const { deliveryFacts, orderFacts, siblingsOf } = purchaseFacts(deps)
  return [
    {
      name: 'apply-on-delivery-received',
      category: 'webhookDelivery',
      on: (run) => ({
        DeliveryReceived: async (event) =>
          run(event, process.applyDelivery(await deliveryFacts(event, event.position))),
        DeliveryReprocessed: async (event) => {
          const received = await deps.findReceived(event.stream)
          // The plans as of the request.
          await run(event, process.applyDelivery(await deliveryFacts(received, event.position)))
        },
      }),
    },
    {
      name: 'settle-on-order-reported',
      category: 'order',
      on: (run) => ({
        OrderReported: async (event) => {
          const facts = await orderFacts(event.stream)
          await run(event, process.settleReport(facts, await siblingsOf(facts)))
        },
        OrderPlanAssigned: async (event) => {
          const facts = await orderFacts(event.stream)
          const isDecision = event.data.by === 'administrator'
          await run(event, process.settleReport(facts, await siblingsOf(facts), isDecision))
        },
        OrderAssigned: async (event) => {
          const { userId, formerUserId, by } = event.data
          const moved = by === 'administrator' ? { userId, formerUserId } : undefined
          await run(event, process.settleAssigned(await orderFacts(event.stream), moved))
        },
      }),
    },
  ]
}

const ofSubscriptionsAndAddresses = (deps: PurchaseDeps): PurchaseReactor[] => {
  const { kiwifySubscriptions, entitlements } = deps.handlers
  const { boughtBy } = purchaseFacts(deps)
  return [
    {
      name: 'assign-on-subscriber-remembered',
      category: 'kiwifySubscription',
      on: (run) => ({
        SubscriberRemembered: async (event) => {
          const { id } = parseStream(event.stream)
          const { userId } = event.data
          const known = await kiwifySubscriptions.load(id, null)
          await run(event, process.assignSubscription(id, userId, known, await boughtBy(userId, known.orders)))
        },
        SubscriptionCancelled: async (event) => {
          const { id } = parseStream(event.stream)
          const { userId } = await kiwifySubscriptions.load(id, null)
          await run(event, userId ? [process.cancelRenewal(id, userId)] : [])
        },
      }),
    },
    {
      name: 'assign-on-entitlement-claimed',
      category: 'entitlement',
      on: (run) => ({
        EntitlementClaimed: async (event) => {
          const claimed = await entitlements.load(parseStream(event.stream).id, null)
          await run(event, process.assignWaiting(event.data.userId, claimed))
        },
      }),
    },
    {
      name: 'attach-address-on-entitlement-claimed',
      category: 'entitlement',
      on: (run) => ({
        EntitlementClaimed: (event) =>
          run(event, process.attachAddress(parseStream(event.stream).id, event.data.userId)),
      }),
    },
  ]
}
