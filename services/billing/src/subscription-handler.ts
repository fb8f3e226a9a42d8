import { commandHandler } from '@prosa/kernel/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { subscription } from './subscription.ts'

/** Commands to subscriptions; the id is the user's. */
export const subscriptionHandler = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>) =>
  commandHandler({ store, codec, clock, category: 'subscription', decider: subscription, foreign: 'unexpected' })

export type SubscriptionHandler = ReturnType<typeof subscriptionHandler>
