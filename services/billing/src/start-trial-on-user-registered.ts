import { parseStream } from '@prosa/contracts/streams'
import { later } from '@prosa/kernel/clock'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { BillingHandlers } from './handlers.ts'

const name = 'start-trial-on-user-registered'
const trialDays = 10
const dayMilliseconds = 24 * 3600 * 1000

/** Every new account has 10 free days, counted from its registration by the server's clock. */
export const startTrialOnUserRegistered = ({ subscriptions }: BillingHandlers): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserRegistered(event) {
      const endsAt = later(event.metadata.recordedAt, trialDays * dayMilliseconds)
      await subscriptions(
        parseStream(event.stream).id,
        { type: 'StartTrial', data: { endsAt } },
        contextFor(name, event),
      )
    },
  },
})
