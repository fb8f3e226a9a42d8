import type { Service } from '@prosa/kernel/ports'
import { endTrialTimer } from './end-trial-timer.ts'
import { startTrialOnUserRegistered } from './start-trial-on-user-registered.ts'
import { subscriptionHandler } from './subscription-handler.ts'

/** Subscriptions; for now the trial. */
export const billing: Service = {
  name: 'billing',
  async mount(ports) {
    const subscriptions = subscriptionHandler(ports)
    return {
      reactors: [startTrialOnUserRegistered(subscriptions)],
      timers: [endTrialTimer(subscriptions, ports.clock)],
    }
  },
}
