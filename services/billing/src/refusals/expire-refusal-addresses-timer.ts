import { cancel, contextForTimer, schedule, type TimerKind } from '@prosa/kernel/consumers/timers/timer'
import type { BillingHandlers } from '../handlers.ts'
import { refusedDeliveriesId } from './report-refused.ts'

/** IP addresses may be personal data. */
export const expireRefusalAddressesTimer = ({
  refusedDeliveries,
}: Pick<BillingHandlers, 'refusedDeliveries'>): TimerKind => ({
  kind: 'expire-refusal-addresses',
  version: 1,
  categories: ['refusedDeliveries'],
  on: {
    DeliveriesRefused: ({ data }) => schedule(data.reportId, data.expiresAt),
    RefusalAddressesExpired: ({ data }) => cancel(data.reportId),
  },
  async fire(timer) {
    const command = { type: 'ExpireAddresses', data: { reportId: timer.key } } as const
    await refusedDeliveries(refusedDeliveriesId, command, contextForTimer(timer))
  },
})
