import { pause } from '@prosa/kernel/async/pause'
import type { ConsumerStatuses } from '@prosa/kernel/consumers/engine/consumer-status'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import type { Ports } from '@prosa/kernel/ports'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { keepDaysTrue } from './days/drop-days.ts'

/** Readings by time read what is not indexed, so the index need not be up to date. */
const indexEveryMs = 60_000

const keepTimes = (ports: Ports, signal: AbortSignal): Promise<void> => {
  const { databaseUrl, log } = ports
  const times = logTimes(ports)
  const work = async (until: AbortSignal) => {
    while (!until.aborted) {
      await times.extend(until)
      await pause(indexEveryMs, until)
    }
  }
  return exclusively(databaseUrl, 'log times', signal, work, {
    onTrouble: (error) => log.warn({ err: error }, 'index of times interrupted'),
  })
}

/** What readings of published events need, in one process of all. */
export const keepStreams = async (ports: Ports, signal: AbortSignal, statuses: ConsumerStatuses): Promise<void> => {
  await Promise.all([keepTimes(ports, signal), keepDaysTrue(ports, signal, statuses)])
}
