import { repeat } from '@prosa/kernel/async/retry'
import { later } from '@prosa/kernel/clock'
import type { Ports } from '@prosa/kernel/ports'
import { addressRetentionMs, hourOf } from './hours.ts'
import { deleteRefusedBefore } from './queries.ts'
import type { RefusedCounter } from './refused-counter.ts'

const minuteMs = 60_000

/** Runs every minute and at shutdown. */
export const flushCounts = async (
  { pool, clock, log }: Pick<Ports, 'pool' | 'clock' | 'log'>,
  counter: Pick<RefusedCounter, 'flush'>,
  signal: AbortSignal,
): Promise<void> => {
  const flush = async () => {
    await counter.flush()
    await deleteRefusedBefore(pool, hourOf(later(clock.now(), -addressRetentionMs)))
  }
  const onFailure = (error: unknown) => log.warn({ err: error }, 'counts of refused deliveries could not be stored')
  await repeat(flush, { signal, pauseAfter: () => minuteMs, onFailure })
  await flush().catch(onFailure)
}
