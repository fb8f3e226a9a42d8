import { LoggableError } from '../loggable-error.ts'
import { backoffMs } from './backoff.ts'
import { retry } from './retry.ts'

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

const never = new AbortController().signal
const backoff = { firstMs: 25, maxMs: 2000 }

/** At most 2 s, with jitter. */
export const reconnectPauseMs = (failures: number): number => backoffMs(failures, backoff)

export const reachability = (options: ReachabilityOptions): Reachability => {
  const { complaint, isUnreachable, maxOutageMs, onTrouble } = options
  let lostAt: number | undefined

  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const done = await work()
      lostAt = undefined
      return done
    } catch (error) {
      if (isUnreachable(error)) lostAt ??= Date.now()
      throw error
    }
  }
  const pauseAfter = (failures: number, error: unknown) =>
    isUnreachable(error) ? reconnectPauseMs(failures) : undefined
  const onFailure = (error: unknown) => {
    if (isUnreachable(error)) onTrouble(error)
  }

  return {
    retryForAWhile: async <T>(work: () => Promise<T>): Promise<T> => {
      let failedAt = Number.POSITIVE_INFINITY
      const pauseInOutage = (failures: number, error: unknown) => {
        const now = Date.now()
        failedAt = Math.min(failedAt, lostAt ?? now)
        if (isUnreachable(error) && now - failedAt > maxOutageMs)
          throw new StoreUnavailable(complaint, { cause: error })
        return pauseAfter(failures, error)
      }
      return (await retry(() => attempt(work), { signal: never, pauseAfter: pauseInOutage, onFailure })) as T
    },

    retryUntilAborted: (work, signal) => retry(() => attempt(work), { signal, pauseAfter, onFailure }),
  }
}
