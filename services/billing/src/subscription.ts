import type { EventOf } from '@prosa/contracts/events/all-events'
import type { billingEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/decider'

export type SubscriptionCommand = { type: 'StartTrial'; data: { endsAt: string } }

export type SubscriptionEvent = EventOf<typeof billingEvents>

/** What one user may use and until when. The trial starts once, however often it is asked for. */
export const subscription: Decider<SubscriptionCommand, SubscriptionEvent, { endsAt: string | null }, 'unexpected'> = {
  initial: { endsAt: null },
  decide: {
    StartTrial: (held, { endsAt }) => (held.endsAt ? [] : [{ type: 'TrialStarted', data: { endsAt } }]),
  },
  evolve: {
    TrialStarted: (_, { endsAt }) => ({ endsAt }),
  },
}
