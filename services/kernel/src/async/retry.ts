import { pause } from './pause.ts'

export interface RetryOptions {
  signal: AbortSignal
  /** The pause in milliseconds after this failure, the first of which is number 0; undefined gives up with the error. */
  pauseAfter: (failures: number, error: unknown) => number | undefined
  /** Called with every failure before the pause; not for those that come after the abort. */
  onFailure?: (error: unknown, failures: number) => void
}

/**
 * Repeats work until it succeeds, for as long as `pauseAfter` gives a pause; undefined when the signal aborts first. Work
 * that runs until the signal aborts, such as a subscription, is thereby started again after each failure.
 */
export const retry = async <T>(
  work: () => Promise<T>,
  { signal, pauseAfter, onFailure }: RetryOptions,
): Promise<T | undefined> => {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return undefined
      onFailure?.(error, failures)
      const ms = pauseAfter(failures, error)
      if (ms === undefined) throw error
      await pause(ms, signal)
    }
  }
  return undefined
}

export interface RepeatOptions {
  signal: AbortSignal
  /** The pause in milliseconds before the next time; `failures` in a row came before it, 0 where the last time went well. */
  pauseAfter: (failures: number) => number
  /** Where it throws, so does `repeat`. */
  onFailure: (error: unknown) => void
}

/** Does work again and again, well or not, until the signal aborts. */
export const repeat = async (
  work: () => Promise<unknown>,
  { signal, pauseAfter, onFailure }: RepeatOptions,
): Promise<void> => {
  for (let failures = 0; !signal.aborted; ) {
    try {
      await work()
      failures = 0
    } catch (error) {
      failures++
      onFailure(error)
    }
    await pause(pauseAfter(failures), signal)
  }
}
