import type { EventOf } from '@prosa/contracts/events/all-events'
import type { billingEvents } from '@prosa/contracts/events/billing'
import type { Decider } from '@prosa/kernel/decider'

export type SubscriptionCommand =
  | { type: 'StartTrial'; data: { endsAt: string } }
  /** `at` is now; too early is as good as not at all. */
  | { type: 'EndTrial'; data: { at: string } }

export type SubscriptionEvent = EventOf<typeof billingEvents>

export interface SubscriptionState {
  endsAt: string | null
  hasEnded: boolean
}

/** What one user may use and until when. The trial starts once and ends once, however often it is asked for. */
export const subscription: Decider<SubscriptionCommand, SubscriptionEvent, SubscriptionState, 'unexpected'> = {
  initial: { endsAt: null, hasEnded: false },
  decide: {
    StartTrial: (held, { endsAt }) => (held.endsAt ? [] : [{ type: 'TrialStarted', data: { endsAt } }]),
    EndTrial: ({ endsAt, hasEnded }, { at }) =>
      endsAt === null || hasEnded || Date.parse(at) < Date.parse(endsAt) ? [] : [{ type: 'TrialEnded', data: {} }],
  },
  evolve: {
    TrialStarted: (_, { endsAt }) => ({ endsAt, hasEnded: false }),
    TrialEnded: (held) => ({ ...held, hasEnded: true }),
  },
}
