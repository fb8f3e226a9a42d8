import { parseStream } from '@prosa/contracts/streams'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import type { Clock } from '@prosa/kernel/clock'
import { cancel, contextForTimer, schedule, type TimerKind } from '@prosa/kernel/consumers/timers/timer'
import type { BillingHandlers } from '../handlers.ts'

type Moved = { stream: string; data: { endsAt: string | null; status?: SubscriptionStatus } }

/** Null if an administrator ended access. */
const moved = ({ stream, data: { endsAt, status } }: Moved) => {
  const userId = parseStream(stream).id
  return endsAt === null || status === 'expired' ? cancel(userId) : schedule(userId, endsAt)
}
const over = ({ stream }: { stream: string }) => cancel(parseStream(stream).id)

/** Rescheduled when the end moves. */
export const endAccessTimer = ({ subscriptions }: BillingHandlers, clock: Clock): TimerKind => ({
  kind: 'end-access',
  version: 1,
  categories: ['subscription'],
  on: {
    TrialStarted: moved,
    TrialWithheld: moved,
    AccessGranted: moved,
    AccessRevoked: moved,
    AccessSet: moved,
    TrialEnded: over,
    AccessEnded: over,
  },
  async fire(timer) {
    await subscriptions(timer.key, { type: 'EndAccess', data: { at: clock.now() } }, contextForTimer(timer))
  },
})
