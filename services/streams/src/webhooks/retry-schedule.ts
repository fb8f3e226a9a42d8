import type { WebhookAttempt } from '@prosa/contracts/http/webhooks'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { Outcome } from './queries.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const givesUpAfterMs = 24 * hourMs

/** After the first attempt, the second, …; then the last one again and again. */
const pausesMs = [
  ...[5 * secondMs, 30 * secondMs],
  ...[2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs],
]
const maxPauseMs = 4 * hourMs

/** What follows from the last attempt. `firstTryAt`: of this round of attempts; null: the last one is the first. */
export const outcomeOf = (
  { stream, firstTryAt }: { stream: string | null; firstTryAt: Instant | null },
  attempts: readonly WebhookAttempt[],
  now: Instant,
): Outcome => {
  const last = attempts.at(-1)
  if (!last || last.failure === null) return { status: 'delivered' }
  // A test is sent once, and a body that cannot be made now cannot be made later.
  if (stream === null || last.failure === 'unreadable' || last.status === 410) return { status: 'failed' }
  const since = firstTryAt ?? last.at
  const end = later(since, givesUpAfterMs)
  if (last.at >= end) return { status: 'failed' }
  const made = attempts.filter(({ at }) => at >= since).length
  const next = later(now, pausesMs[made - 1] ?? maxPauseMs)
  return { status: 'waiting', nextTryAt: next < end ? next : end }
}
