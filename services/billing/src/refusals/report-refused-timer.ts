import { parseStream } from '@prosa/contracts/streams'
import { cancel, contextForTimer, schedule, type TimerKind } from '@prosa/kernel/consumers/timers/timer'
import type { RefusalReports } from './report-refused.ts'

/** For refusals within the hour after a report. */
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
