import { repeat } from '@prosa/kernel/async/retry'
import { later } from '@prosa/kernel/clock'
import type { Ports } from '@prosa/kernel/ports'
import { addressesKeptMs, hourOf } from './hours.ts'
import { deleteRefusedBefore } from './queries.ts'
import type { RefusedCounter } from './refused-counter.ts'

const minuteMs = 60_000

/** Runs every minute and at shutdown. */
export const keepCounts = async (
  { pool, clock, log }: Pick<Ports, 'pool' | 'clock' | 'log'>,
  counter: Pick<RefusedCounter, 'flush'>,
  signal: AbortSignal,
): Promise<void> => {
  const keep = async () => {
    await counter.flush()
    await deleteRefusedBefore(pool, hourOf(later(clock.now(), -addressesKeptMs)))
  }
  const onFailure = (error: unknown) => log.warn({ err: error }, 'counts of refused deliveries could not be kept up')
  await repeat(keep, { signal, pauseAfter: () => minuteMs, onFailure })
  await keep().catch(onFailure)
}
