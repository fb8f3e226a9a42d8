import { backoffMs } from '../../async/backoff.ts'
import { retry } from '../../async/retry.ts'
import { failureOf, isFinal, isTransient } from './failure.ts'
import type { Failure } from './parked-queries.ts'

/** Six tries within about a minute. */
export const pausesWithinAMinute: readonly number[] = [200, 1000, 5000, 20_000, 30_000]

const backoff = { firstMs: 100, maxMs: 10_000 }

/** Backoff for transient errors: doubles up to 10 s. */
export const transientPauseMs = (attempt: number): number => backoffMs(attempt, backoff)

export type Tried = { state: 'done' } | { state: 'aborted' } | { state: 'failed'; failure: Failure }

/** Transient errors are retried for ever, others once per entry of `pauses` (milliseconds). */
export const retryWork = async (
  work: () => Promise<void>,
  {
    pauses,
    until,
    onFailure,
  }: { pauses: readonly number[]; until: AbortSignal; onFailure: (error: unknown, isTransientError: boolean) => void },
): Promise<Tried> => {
  let atFault = 0
  const pauseAfter = (failures: number, error: unknown) => {
    if (isTransient(error)) return transientPauseMs(failures - atFault)
    const ms = pauses[atFault++]
    return isFinal(error) ? undefined : ms
  }
  const tried = async (): Promise<Tried> => {
    await work()
    return { state: 'done' }
  }
  try {
    const onError = (error: unknown) => onFailure(error, isTransient(error))
    return (await retry(tried, { signal: until, pauseAfter, onFailure: onError })) ?? { state: 'aborted' }
  } catch (error) {
    return { state: 'failed', failure: failureOf(error, atFault) }
  }
}
