import type { SessionTimings } from '../../timings.ts'
import { type Bucket, fullBucket, holdTokens, refilled, takeToken, waitForToken } from './token-bucket.ts'

/**
 * How fast one number may write. WhatsApp publishes no limits; it restricts numbers that write to many strangers (463), so
 * first messages have a far slower pace of their own, and wait without holding up answers.
 */
export interface LinePace {
  readonly messages: Bucket
  readonly firsts: Bucket
}

export type PaceTimings = Pick<SessionTimings, 'messagePace' | 'firstContactPace' | 'restricted' | 'tooFast'>

export const fullPace = ({ messagePace, firstContactPace }: PaceTimings, now: number): LinePace => ({
  messages: fullBucket(messagePace, now),
  firsts: fullBucket(firstContactPace, now),
})

/** To be done now and then: time counts from here where the clock is set back. */
export const refilledPace = ({ messages, firsts }: LinePace, timings: PaceTimings, now: number): LinePace => ({
  messages: refilled(messages, timings.messagePace, now),
  firsts: refilled(firsts, timings.firstContactPace, now),
})

/** Milliseconds until the next message may go, whatever it is. People do not write to the beat: up to half as long again, by `random`. */
export const waitForAny = (pace: LinePace, { messagePace }: PaceTimings, now: number, random: number): number =>
  Math.ceil(waitForToken(pace.messages, messagePace, now) * (1 + random / 2))

/** Milliseconds until the next first message may go. */
export const waitForFirst = (pace: LinePace, { firstContactPace }: PaceTimings, now: number): number =>
  waitForToken(pace.firsts, firstContactPace, now)

export const takeAny = (pace: LinePace, { messagePace }: PaceTimings, now: number): LinePace => ({
  ...pace,
  messages: takeToken(pace.messages, messagePace, now),
})

/** Takes the place of a first message; undefined when there is none. */
export const takeFirst = (pace: LinePace, timings: PaceTimings, now: number): LinePace | undefined => {
  if (waitForFirst(pace, timings, now) > 0) return undefined
  return { ...takeAny(pace, timings, now), firsts: takeToken(pace.firsts, timings.firstContactPace, now) }
}

/** WhatsApp refused a message with this code. */
export const slowedBy = (pace: LinePace, code: string, { restricted, tooFast }: PaceTimings, now: number): LinePace => {
  // Each further attempt to reach somebody new makes the restriction worse; known contacts are not affected by it.
  if (code === '463') return { ...pace, firsts: holdTokens(pace.firsts, now, restricted) }
  if (code === '429') return { ...pace, messages: holdTokens(pace.messages, now, tooFast) }
  return pace
}
