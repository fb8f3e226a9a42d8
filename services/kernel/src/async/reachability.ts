import { setTimeout as delay } from 'node:timers/promises'
import { LoggableError } from '../loggable-error.ts'
import { backoffMs } from './backoff.ts'

/** The outcome of a write is unknown: repeat it with the same ids. */
export class StoreUnavailable extends LoggableError {
  override name = 'StoreUnavailable'
}

export interface Reachability {
  /** Throws `StoreUnavailable` after `maxOutageMs`, counted from the first failure since any work succeeded. */
  retryForAWhile<T>(work: () => Promise<T>): Promise<T>
  /** Undefined when the signal aborts first. */
  retryUntilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>
}

export interface ReachabilityOptions {
  complaint: string
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

/** At most 2 s, with jitter; ends early on abort. */
export const backOff = async (attempt: number, signal?: AbortSignal): Promise<void> => {
  await delay(backoffMs(attempt, backoff), undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}
