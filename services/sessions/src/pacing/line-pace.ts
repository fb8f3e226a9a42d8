import type { SessionTimings } from '../timings.ts'
import { tokenBucket } from './token-bucket.ts'

/**
 * How fast one number may write. WhatsApp publishes no figures; it restricts numbers that write to many strangers (463), so
 * first messages have a far slower pace of their own, and wait without holding up answers.
 */
export interface LinePace {
  /** Milliseconds until the next message may go, whatever it is. */
  wait(): number
  take(): void
  /** Milliseconds until the next first message may go. */
  waitForFirst(): number
  /** Takes the place of a first message; false when there is none. */
  takeFirst(): boolean
  /** WhatsApp refused a message with this code. */
  refused(code: string): void
}

export const linePace = (
  { messagePace, firstContactPace, restricted, tooFast }: SessionTimings,
  now: () => number,
): LinePace => {
  const messages = tokenBucket(messagePace, now)
  const firsts = tokenBucket(firstContactPace, now)
  /** People do not write to the beat; up to half as long again. */
  const uneven = (milliseconds: number) => Math.ceil(milliseconds * (1 + Math.random() / 2))

  return {
    wait: () => uneven(messages.wait()),
    take: messages.take,
    waitForFirst: () => firsts.wait(),
    takeFirst() {
      if (firsts.wait() > 0) return false
      firsts.take()
      messages.take()
      return true
    },
    refused(code) {
      // Each further attempt to reach somebody new makes the restriction worse; known contacts are not affected by it.
      if (code === '463') firsts.hold(restricted)
      if (code === '429') messages.hold(tooFast)
    },
  }
}
