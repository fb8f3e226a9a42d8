import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isUnreachable } from '../../postgres/is-unreachable.ts'
import { EventStoreUnavailable } from '../port.ts'

/** Data exceptions and program limits: what was sent is at fault. */
const refused = /^(22|54)/
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && refused.test(error.code ?? '')

export interface Reachability {
  /**
   * Repeats work that may be repeated while the server cannot be reached. Gives up with `EventStoreUnavailable` once that has
   * lasted `patienceMilliseconds`, counted from the first failure of any work.
   */
  persist<T>(work: () => Promise<T>): Promise<T>
  /** The same without an end to the patience; undefined when the signal aborts first. */
  outlast<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>
}

export const reachability = (patienceMilliseconds: number, onTrouble: (error: unknown) => void): Reachability => {
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
      for (let attempts = 0; ; attempts++) {
        const outcome = await attempt(work)
        if ('done' in outcome) return outcome.done
        onTrouble(outcome.failed)
        if (Date.now() - (lostAt ?? 0) > patienceMilliseconds)
          throw new EventStoreUnavailable('PostgreSQL cannot be reached', { cause: outcome.failed })
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
