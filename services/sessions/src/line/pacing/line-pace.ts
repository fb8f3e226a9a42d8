import {
  type Bucket,
  blockTokens,
  fullBucket,
  refilled,
  takeToken,
  waitForToken,
} from '@prosa/kernel/async/token-bucket'
import type { SessionTimings } from '../../timings.ts'

/**
 * WhatsApp publishes no limits; it restricts numbers that write to many strangers (463), so first messages have a far slower limit and do
 * not hold up replies.
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

/** Call periodically: after the clock is set back, time counts from here. */
export const refilledPace = ({ messages, firsts }: LinePace, timings: PaceTimings, now: number): LinePace => ({
  messages: refilled(messages, timings.messagePace, now),
  firsts: refilled(firsts, timings.firstContactPace, now),
})

/** Milliseconds, with up to 50 % jitter: people are irregular. */
export const waitForAny = (pace: LinePace, { messagePace }: PaceTimings, now: number, random: number): number =>
  Math.ceil(waitForToken(pace.messages, messagePace, now) * (1 + random / 2))

export const waitForFirst = (pace: LinePace, { firstContactPace }: PaceTimings, now: number): number =>
  waitForToken(pace.firsts, firstContactPace, now)

export const takeAny = (pace: LinePace, { messagePace }: PaceTimings, now: number): LinePace => ({
  ...pace,
  messages: takeToken(pace.messages, messagePace, now),
})

/** undefined when there is no token. */
export const takeFirst = (pace: LinePace, timings: PaceTimings, now: number): LinePace | undefined => {
  if (waitForFirst(pace, timings, now) > 0) return undefined
  return { ...takeAny(pace, timings, now), firsts: takeToken(pace.firsts, timings.firstContactPace, now) }
}

export const slowedBy = (pace: LinePace, code: string, { restricted, tooFast }: PaceTimings, now: number): LinePace => {
  // Each further attempt worsens the restriction; known contacts are unaffected.
  if (code === '463') return { ...pace, firsts: blockTokens(pace.firsts, now, restricted) }
  if (code === '429') return { ...pace, messages: blockTokens(pace.messages, now, tooFast) }
  return pace
}
