import { setTimeout as delay } from 'node:timers/promises'
import { failureOf, isFinal, passes } from './failure.ts'
import type { Failure } from './queries.ts'

/** Pauses between tries of what may be at fault itself: six tries within about a minute. */
export const triesWithinAMinute: readonly number[] = [200, 1000, 5000, 20_000, 30_000]

const firstPauseMilliseconds = 100
const longestPauseMilliseconds = 10_000

/** Doubles with each failed attempt, 10 s at most, and spreads over half of that. */
export const passingPause = (attempt: number): number =>
  Math.min(firstPauseMilliseconds * 2 ** attempt, longestPauseMilliseconds) * (0.5 + Math.random() / 2)

export type Tried = { state: 'done' } | { state: 'aborted' } | { state: 'failed'; failure: Failure }

/** Waits, and ends early when the signal aborts. */
export const pauseUntil = (milliseconds: number, until: AbortSignal): Promise<unknown> =>
  delay(milliseconds, undefined, { signal: until }).catch(() => until.aborted)

/**
 * Tries work until it is done: for ever while the store or the database is away, otherwise once more after each of `pauses`
 * (milliseconds). `onFailure` hears of every failure, and whether it is one that passes by itself.
 */
export const tryOften = async (
  work: () => Promise<void>,
  {
    pauses,
    until,
    onFailure,
  }: { pauses: readonly number[]; until: AbortSignal; onFailure: (error: unknown, isPassing: boolean) => void },
): Promise<Tried> => {
  let failures = 0
  for (let passing = 0; !until.aborted; ) {
    try {
      await work()
      return { state: 'done' }
    } catch (error) {
      if (until.aborted) break
      const isPassing = passes(error)
      onFailure(error, isPassing)
      const pause = isPassing ? passingPause(passing++) : pauses[failures++]
      if (pause === undefined || isFinal(error)) return { state: 'failed', failure: failureOf(error, failures) }
      await pauseUntil(pause, until)
    }
  }
  return { state: 'aborted' }
}
