import type { Instant } from '@prosa/contracts/values/instant'
import { isOpen, nextOpening } from '@prosa/contracts/values/time/is-open'
import type { Contact } from '../contact/contact-state.ts'
import type { KnownHours } from '../opening-hours.ts'

/** After an outage older messages get no reply. */
const maxAgeMs = 10 * 60_000

export type Reason = 'too_late' | 'not_waiting' | 'flow_answers'

export const isLongAgo = (sentAt: Instant, now: Instant) => Date.parse(now) - Date.parse(sentAt) > maxAgeMs

/** Undefined unless closed now and at writing. Identifies the closed period. */
export const reopeningAfter = (
  { hours, isReplyOn }: Pick<KnownHours, 'hours' | 'isReplyOn'>,
  sentAt: Instant,
  now: Instant,
): Instant | undefined => {
  if (!isReplyOn || !hours || isOpen(hours, sentAt)) return undefined
  const next = nextOpening(hours, now)
  return next === null || next === now ? undefined : next
}

export const reasonAgainst = (
  sentAt: Instant,
  now: Instant,
  status: Contact['status'],
): Exclude<Reason, 'flow_answers'> | undefined => {
  if (isLongAgo(sentAt, now)) return 'too_late'
  return status === 'waiting' ? undefined : 'not_waiting'
}
