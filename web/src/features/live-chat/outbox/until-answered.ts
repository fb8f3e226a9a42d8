import { ApiProblem } from '../../../lib/http/http.ts'
import { isServerReachable, pauseUntilServerBack } from '../../../lib/http/server-reach.ts'

/** Doubles from first to max, less up to half at random. */
export const backoff = { firstMs: 1000, maxMs: 15_000 }
/** A longer wait is reported instead: a very late answer is worse than none. */
const maxToldWaitSeconds = 120
/** Gives up after this many replies outside the contract, not counted while the socket is down. */
const maxUnclearAnswers = 8

/**
 * `refused`: final. `signed out`: waits for the author. `away`: unreachable or rate limited. `unclear`: a reply outside the contract, from
 * a gateway or a fault in Prosa.
 */
type Meaning = 'refused' | 'signed out' | 'away' | 'unclear'

export const meaningOf = (error: unknown): Meaning => {
  if (!(error instanceof ApiProblem)) return 'refused'
  const { status, type, retryAfterSeconds } = error
  if (status === 0 || status === 502 || status === 503 || status === 504) return 'away'
  if (type === 'request_in_progress') return 'away'
  if (type === 'unreadable' || status >= 500) return 'unclear'
  if (status === 401 || type === 'password_must_be_changed') return 'signed out'
  return type === 'too_many_attempts' && (retryAfterSeconds ?? 0) <= maxToldWaitSeconds ? 'away' : 'refused'
}

interface Conditions {
  /** False stops and throws the latest failure. */
  isWanted: () => boolean
  /** Counts a missing reply as unclear: the content may cause it, e.g. a file that a gateway cuts off. */
  silenceIsUnclear?: boolean
}

const pauseBefore = (repetition: number, error: unknown): Promise<unknown> => {
  const told = error instanceof ApiProblem ? error.retryAfterSeconds : null
  if (told !== null) return new Promise((resolve) => setTimeout(resolve, told * 1000))
  return pauseUntilServerBack(Math.min(backoff.maxMs, backoff.firstMs * 2 ** repetition) * (1 - Math.random() / 2))
}

/**
 * Retries until accepted or refused; `attempt` must be idempotent. Rejects on a refusal, the session's end, or repeated unclear replies.
 */
export const untilAnswered = async <T>(attempt: () => Promise<T>, conditions: Conditions): Promise<T> => {
  const { isWanted, silenceIsUnclear = false } = conditions
  let unclearAnswers = 0
  for (let repetition = 0; ; repetition++) {
    try {
      return await attempt()
    } catch (error) {
      const meaning = meaningOf(error)
      const isSilence = error instanceof ApiProblem && error.status === 0
      if (isServerReachable() && (meaning === 'unclear' || (silenceIsUnclear && isSilence))) unclearAnswers += 1
      if (meaning === 'refused' || meaning === 'signed out' || unclearAnswers >= maxUnclearAnswers) throw error
      if (isWanted()) await pauseBefore(repetition, error)
      if (!isWanted()) throw error
    }
  }
}
