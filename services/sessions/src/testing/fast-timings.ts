import type { SessionTimings } from '../timings.ts'

/** Tests wait for facts, not timeouts. */
export const fastTimings: Partial<SessionTimings> = {
  linkingPace: { burst: 1000, interval: 1 },
  firstBackoff: 30,
  maxBackoff: 200,
  steady: 200,
  acknowledgement: 500,
  poll: 100,
  handOver: 100,
  messagePace: { burst: 1000, interval: 1 },
  firstContactPace: { burst: 1000, interval: 1 },
  restricted: 300,
  tooFast: 100,
  typingSecond: 10,
  logout: 2000,
}
