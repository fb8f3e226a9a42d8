import { setTimeout as delay } from 'node:timers/promises'
import { LoggableError } from '../loggable-error.ts'
import { backoffMs } from './backoff.ts'

/** A database or event store is out of reach: the outcome of a write is unknown, repeat it with the same ids. */
export class StoreUnavailable extends LoggableError {
  override name = 'StoreUnavailable'
}

export interface Reachability {
  /**
   * Repeats work that may be repeated while the server cannot be reached. Gives up with `StoreUnavailable` once that has
   * lasted `maxOutageMs`, counted from the first failure of this work, or of any work since when none succeeded.
   */
  retryForAWhile<T>(work: () => Promise<T>): Promise<T>
  /** The same without a time limit; undefined when the signal aborts first. */
  retryUntilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>
}

export interface ReachabilityOptions {
  /** The message of the error that is thrown when the time for retries is over. */
  complaint: string
  /** Whether an error means that the outcome is unknown and the work may be repeated. */
  isUnreachable: (error: unknown) => boolean
  maxOutageMs: number
  onTrouble: (error: unknown) => void
}

export const reachability = (options: ReachabilityOptions): Reachability => {
  const { complaint, isUnreachable, maxOutageMs, onTrouble } = options
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
    retryForAWhile: async (work) => {
      let failedAt = Number.POSITIVE_INFINITY
      for (let attempts = 0; ; attempts++) {
        const outcome = await attempt(work)
        if ('done' in outcome) return outcome.done
        onTrouble(outcome.failed)
        const now = Date.now()
        failedAt = Math.min(failedAt, lostAt ?? now)
        if (now - failedAt > maxOutageMs) throw new StoreUnavailable(complaint, { cause: outcome.failed })
        await backOff(attempts)
      }
    },

    retryUntilAborted: async (work, signal) => {
      for (let attempts = 0; !signal.aborted; attempts++) {
        const outcome = await attempt(work)
        if ('done' in outcome) return outcome.done
        if (!signal.aborted) onTrouble(outcome.failed)
        await backOff(attempts, signal)
      }
      return undefined
    },
  }
}

const backoff = { firstMs: 25, maxMs: 2000 }

/** Waits longer with each attempt, 2 s at most, and never in step with others; ends early when the signal aborts. */
export const backOff = async (attempt: number, signal?: AbortSignal): Promise<void> => {
  await delay(backoffMs(attempt, backoff), undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}
