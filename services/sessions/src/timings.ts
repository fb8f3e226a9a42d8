import type { Pace } from './line/pacing/token-bucket.ts'

/** Every duration of the sessions service, in milliseconds. Tests shorten them; nothing else does. */
export interface SessionTimings {
  /** How long codes are shown after linking began. */
  linkingWindow: number
  /** How often the lines of one tenant may begin to be linked. */
  linkingPace: Pace
  /** Life of the first QR code, and of each that follows; WhatsApp decides them, so only a sandbox may see others. */
  firstQrCode: number
  nextQrCode: number
  /** First and longest wait before connecting again. */
  firstBackoff: number
  maxBackoff: number
  /** How long a line that carries nothing must have stayed open before it is reached again as quickly as at first. */
  steady: number
  /** How soon after a message was sent a line must break to have broken on it, perhaps. */
  suspicion: number
  /** How long WhatsApp must have called the credentials of a linked number bad (500) before they are given up. */
  badSessions: number
  /** How long the server has to acknowledge a message before it is sent again with the same id. */
  acknowledgement: number
  /** How long a process that died, or stands still, keeps others from looking after its connections. */
  lease: number
  /** How long WhatsApp may take to answer whose a number is. */
  lookup: number
  /** How often outbox and free connections are looked at when no notification came. */
  poll: number
  /** How fast a number writes, and how fast to people who never wrote to it. */
  messagePace: Pace
  firstContactPace: Pace
  /** How long a number that WhatsApp restricts (463) writes to nobody new, and one that writes too fast (429) to nobody. */
  restricted: number
  tooFast: number
  /** How long after somebody looked at a chat WhatsApp is still shown that somebody is there. */
  attendance: number
  /** A second of being shown to write. */
  typingSecond: number
  /** How long logging out of WhatsApp may take when a number is disconnected. */
  logout: number
}

/** So fast that nobody waits. */
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
