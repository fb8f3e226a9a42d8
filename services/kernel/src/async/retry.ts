import { pause } from './pause.ts'

export interface RetryOptions {
  signal: AbortSignal
  /** `failures` from 0; undefined gives up with the error. */
  pauseAfter: (failures: number, error: unknown) => number | undefined
  /** Before each pause; not after the abort. */
  onFailure?: (error: unknown, failures: number) => void
}

/** Undefined when the signal aborts first. Also restarts long-running work, such as a subscription. */
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
  /** `failures` in a row, 0 after a success. */
  pauseAfter: (failures: number) => number
  /** Where it throws, so does `repeat`. */
  onFailure: (error: unknown) => void
}

/** Repeats until the signal aborts. */
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
