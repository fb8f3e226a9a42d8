import { parseStream } from '@prosa/contracts/streams'
import type { Clock } from '@prosa/kernel/clock'
import { cancel, contextForTimer, schedule, type TimerKind } from '@prosa/kernel/consumers/timers/timer'
import type { BillingHandlers } from './handlers.ts'

/** Raw bodies hold personal data of buyers: stored only for inquiries. */
export const expireDeliveryTimer = ({ deliveries }: BillingHandlers, clock: Clock): TimerKind => ({
  kind: 'expire-delivery',
  version: 1,
  categories: ['webhookDelivery'],
  on: {
    DeliveryReceived: ({ stream, data }) => schedule(parseStream(stream).id, data.expiresAt),
    DeliveryExpired: ({ stream }) => cancel(parseStream(stream).id),
  },
  async fire(timer) {
    await deliveries(timer.key, { type: 'ExpireDelivery', data: { at: clock.now() } }, contextForTimer(timer))
  },
})
