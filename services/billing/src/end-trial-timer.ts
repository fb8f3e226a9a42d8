import { parseStream } from '@prosa/contracts/streams'
import type { Clock } from '@prosa/kernel/clock'
import { cancel, contextForTimer, schedule, type TimerKind } from '@prosa/kernel/timers/timer'
import type { SubscriptionHandler } from './subscription-handler.ts'

/** A trial ends at the second it was promised to, also when nobody looks at the account. */
export const endTrialTimer = (subscriptions: SubscriptionHandler, clock: Clock): TimerKind => ({
  kind: 'end-trial',
  version: 1,
  categories: ['subscription'],
  on: {
    TrialStarted: ({ stream, data }) => schedule(parseStream(stream).id, data.endsAt),
    TrialEnded: ({ stream }) => cancel(parseStream(stream).id),
  },
  async fire(timer) {
    await subscriptions(timer.key, { type: 'EndTrial', data: { at: clock.now() } }, contextForTimer(timer))
  },
})
