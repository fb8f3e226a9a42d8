import { ApiProblem } from '../../../lib/http.ts'
import { isServerReachable, pauseUntilServerBack } from '../../../lib/server-reach.ts'

/** Before each repetition: twice as long as before the last one, from the first to the maximum, and up to half of it less. */
export const backoff = { firstMs: 1000, maxMs: 15_000 }
/** Whoever is to wait longer is told so instead: an answer that leaves in the middle of the night is worse than none. */
const maxToldWaitSeconds = 120
/** So often something that is no answer of the contract is taken for a passing trouble, not counting while the live line is down. */
const maxUnclearAnswers = 8

/**
 * What a failed attempt means: `refused` by the server, which ends it; `signed out`, which waits for whoever wrote it; `away`: the server is
 * out of reach or asks for patience; `unclear`: an answer came that the contract does not know, of a gateway or of a fault in Prosa.
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
  /** False once nobody wants it any more; then the failure that came last is thrown. */
  isWanted: () => boolean
  /** Where no answer may be the fault of what is sent, as with a file that a gateway cuts off: counted as an unclear one. */
  silenceIsUnclear?: boolean
}

const pauseBefore = (repetition: number, error: unknown): Promise<unknown> => {
  const told = error instanceof ApiProblem ? error.retryAfterSeconds : null
  if (told !== null) return new Promise((resolve) => setTimeout(resolve, told * 1000))
  return pauseUntilServerBack(Math.min(backoff.maxMs, backoff.firstMs * 2 ** repetition) * (1 - Math.random() / 2))
}

/**
 * Repeats until the server accepts or refuses, however long it is away, as while it restarts: `attempt` must be harmless to repeat. Rejects with
 * a refusal, with the end of the session, and with an unclear answer that came again and again.
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
