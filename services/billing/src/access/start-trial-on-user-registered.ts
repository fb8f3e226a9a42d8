import { parseStream } from '@prosa/contracts/streams'
import { later } from '@prosa/kernel/clock'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { accepted, type BillingHandlers } from '../handlers.ts'

const name = 'start-trial-on-user-registered'
const trialDays = 10
const dayMs = 24 * 3600 * 1000

/** 10 days, once per address. Moving to an address that had them elsewhere ends one's own (docs/decisions/0057-once.md). */
export const startTrialOnUserRegistered = ({ subscriptions }: BillingHandlers): Reactor => {
  const withhold = async (event: Stored): Promise<void> => {
    const command = { type: 'WithholdTrial', data: { at: event.metadata.recordedAt } } as const
    accepted(await subscriptions(parseStream(event.stream).id, command, contextFor(name, event)))
  }
  return {
    name,
    categories: ['user'],
    key: ({ stream }) => stream,
    on: {
      async UserRegistered(event) {
        if (event.data.isTrialUsed) return withhold(event)
        const endsAt = later(event.metadata.recordedAt, trialDays * dayMs)
        await subscriptions(
          parseStream(event.stream).id,
          { type: 'StartTrial', data: { endsAt } },
          contextFor(name, event),
        )
      },
      async EmailChanged(event) {
        if (event.data.isTrialUsed) await withhold(event)
      },
    },
  }
}
