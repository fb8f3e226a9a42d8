import { parseStream } from '@prosa/contracts/streams'
import { cancel, contextForTimer, schedule, type TimerKind } from '@prosa/kernel/consumers/timers/timer'
import type { RefusalReports } from './report-refused.ts'

/** What was refused within an hour of a report is reported at its end, be it that nothing was. */
export const reportRefusedTimer = ({ report }: RefusalReports): TimerKind => ({
  kind: 'report-refused',
  version: 1,
  categories: ['refusedDeliveries'],
  on: {
    DeliveriesRefused: ({ stream, data }) => schedule(parseStream(stream).id, data.nextReportAt),
    RefusalsCeased: ({ stream }) => cancel(parseStream(stream).id),
  },
  fire: (timer) => report(contextForTimer(timer)),
})
