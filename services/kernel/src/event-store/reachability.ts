import { setTimeout as delay } from 'node:timers/promises'
import { EventStoreUnavailable } from './port.ts'

export interface Reachability {
  /**
   * Repeats work that may be repeated while the server cannot be reached. Gives up with `EventStoreUnavailable` once that has
   * lasted `patienceMilliseconds`, counted from the first failure of this work, or of any work since when none succeeded.
   */
  persist<T>(work: () => Promise<T>): Promise<T>
  /** The same without an end to the patience; undefined when the signal aborts first. */
  outlast<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>
}

export interface ReachabilityOptions {
  /** What the error says that is thrown when the patience is over. */
  complaint: string
  /** Whether an error means that the outcome is unknown and the work may be repeated. */
  isUnreachable: (error: unknown) => boolean
  patienceMilliseconds: number
  onTrouble: (error: unknown) => void
}

export const reachability = (options: ReachabilityOptions): Reachability => {
  const { complaint, isUnreachable, patienceMilliseconds, onTrouble } = options
  let lostAt: number | undefined

  const attempt = async <T>(work: () => Promise<T>): Promise<{ done: T } | { failed: unknown }> => {
    try {
      const done = await work()
      lostAt = undefined
      return { done }
    } catch (failed) {
      if (!isUnreachable(failed)) throw failed
      lostAt ??= Date.now()
      return { failed }
    }
  }

  return {
    persist: async (work) => {
      let failedAt = Number.POSITIVE_INFINITY
      for (let attempts = 0; ; attempts++) {
        const outcome = await attempt(work)
        if ('done' in outcome) return outcome.done
        onTrouble(outcome.failed)
        const now = Date.now()
        failedAt = Math.min(failedAt, lostAt ?? now)
        if (now - failedAt > patienceMilliseconds) throw new EventStoreUnavailable(complaint, { cause: outcome.failed })
        await pause(attempts)
      }
    },

    outlast: async (work, signal) => {
      for (let attempts = 0; !signal.aborted; attempts++) {
        const outcome = await attempt(work)
        if ('done' in outcome) return outcome.done
        if (!signal.aborted) onTrouble(outcome.failed)
        await pause(attempts, signal)
      }
      return undefined
    },
  }
}

/** Waits longer with each attempt, 2 s at most, and never in step with others; ends early when the signal aborts. */
export const pause = async (attempt: number, signal?: AbortSignal): Promise<void> => {
  const milliseconds = Math.min(2000, 25 * 2 ** attempt) * (0.5 + Math.random() / 2)
  await delay(milliseconds, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}
