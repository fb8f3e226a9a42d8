import type { Service } from '@prosa/kernel/ports'
import { startTrialOnUserRegistered } from './start-trial-on-user-registered.ts'

/** Subscriptions; for now the trial. */
export const billing: Service = {
  name: 'billing',
  async mount(ports) {
    return { reactors: [startTrialOnUserRegistered(ports)] }
  },
}
