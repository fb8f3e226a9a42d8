import type { Pace } from '@prosa/kernel/async/token-bucket'

/** Milliseconds. Only tests change them. */
export interface SessionTimings {
  linkingWindow: number
  /** For each tenant. */
  linkingPace: Pace
  /** WhatsApp decides them, so only a sandbox may differ. */
  firstQrCode: number
  nextQrCode: number
  firstBackoff: number
  maxBackoff: number
  /** An idle line open for so long resets the backoff. */
  steady: number
  /** A break so soon after a send may be caused by the message. */
  suspicion: number
  /** 'Bad session' (500) for so long: the credentials are given up. */
  badSessions: number
  /** Then the message is sent again with the same id. */
  acknowledgement: number
  /** A dead or frozen process holds its connections for so long. */
  lease: number
  /** Between two lines that are handed to a process with fewer. */
  handOver: number
  lookup: number
  /** In case a notification was missed. */
  poll: number
  messagePace: Pace
  firstContactPace: Pace
  /** After a restriction (463) of first messages, and of all after 'too fast' (429). */
  restricted: number
  tooFast: number
  /** Presence stays 'available' for so long after somebody viewed a chat. */
  attendance: number
  typingSecond: number
  logout: number
}

export const noPace: Pace = { burst: 1_000_000, interval: 1 }

export const productionTimings: SessionTimings = {
  linkingWindow: 120_000,
  linkingPace: { burst: 6, interval: 10_000 },
  firstQrCode: 60_000,
  nextQrCode: 20_000,
  firstBackoff: 1000,
  maxBackoff: 60_000,
  steady: 30_000,
  suspicion: 3000,
  badSessions: 900_000,
  acknowledgement: 15_000,
  lease: 15_000,
  handOver: 1000,
  lookup: 5000,
  poll: 2000,
  messagePace: { burst: 20, interval: 1000 },
  firstContactPace: { burst: 3, interval: 30_000 },
  restricted: 900_000,
  tooFast: 60_000,
  attendance: 60_000,
  typingSecond: 1000,
  logout: 5000,
}
