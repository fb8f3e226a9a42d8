import { backoffMs } from '@prosa/kernel/async/backoff'
import type { SessionTimings } from '../timings.ts'

/** Consecutive breaks until a message is to blame; with the backoff no short outage gets there. */
const maxBreaks = 8

interface Trial {
  readonly contactId: string
  readonly breaks: number
  readonly others: 'unknown' | 'answered' | 'broke'
}

interface InFlight {
  messageId: string
  contactId: string
}

/**
 * From the second break on it, a message backs off while the line is open, and other contacts' messages go. A break with nothing in flight
 * clears all. In memory, times in ms.
 */
export interface PoisonDetector {
  /** By message id. */
  readonly trials: ReadonlyMap<string, Trial>
  readonly inFlight: (InFlight & { at: number }) | undefined
  readonly openSince: number
}

export type PoisonTimings = Pick<SessionTimings, 'suspicion' | 'firstBackoff' | 'maxBackoff'>

export const poisonDetector = (now: number): PoisonDetector => ({
  trials: new Map(),
  inFlight: undefined,
  openSince: now,
})

const withOthers = (trials: ReadonlyMap<string, Trial>, messageId: string, others: Trial['others']) =>
  new Map([...trials].map(([id, trial]) => [id, id === messageId ? trial : { ...trial, others }]))

const without = (trials: ReadonlyMap<string, Trial>, messageId: string) =>
  new Map([...trials].filter(([id]) => id !== messageId))

/** The first break is mostly chance. */
const backoffOf = ({ breaks }: Trial, { firstBackoff, maxBackoff }: PoisonTimings) =>
  breaks < 2
    ? 0
    : backoffMs(breaks - 1, {
        firstMs: firstBackoff,
        maxMs: maxBackoff,
        spread: 0,
      })

export const lineOpened = (detector: PoisonDetector, now: number): PoisonDetector => ({
  ...detector,
  openSince: now,
  inFlight: undefined,
})

export const lineBroke = (detector: PoisonDetector, { suspicion }: PoisonTimings, now: number): PoisonDetector => {
  const { inFlight: sent, trials } = detector
  if (!sent) return { ...detector, trials: new Map() }
  if (now - sent.at > suspicion) return { ...detector, inFlight: undefined }
  const { messageId, contactId } = sent
  const trial = trials.get(messageId) ?? { contactId, breaks: 0, others: 'unknown' }
  const broken = new Map(trials).set(messageId, { ...trial, breaks: trial.breaks + 1 })
  return { ...detector, inFlight: undefined, trials: withOthers(broken, messageId, 'broke') }
}

/** Call again once its bytes have certainly left. */
export const sending = (detector: PoisonDetector, { messageId, contactId }: InFlight, now: number): PoisonDetector => ({
  ...detector,
  inFlight: { messageId, contactId, at: now },
})

/** Any result: the line survived the message. */
export const answered = (detector: PoisonDetector, messageId: string): PoisonDetector => ({
  ...detector,
  inFlight: detector.inFlight?.messageId === messageId ? undefined : detector.inFlight,
  trials: withOthers(without(detector.trials, messageId), messageId, 'answered'),
})

export const unanswered = (detector: PoisonDetector): PoisonDetector => ({ ...detector, inFlight: undefined })

/** Contacts in backoff, and milliseconds until the first ends; 0 when there are none. */
export const backingOff = ({ trials, openSince }: PoisonDetector, timings: PoisonTimings, now: number) => {
  const open = now - openSince
  const backing = [...trials.values()].filter((trial) => backoffOf(trial, timings) > open)
  return {
    contactIds: backing.map(({ contactId }) => contactId),
    wait: backing.length > 0 ? Math.min(...backing.map((trial) => backoffOf(trial, timings))) - open : 0,
  }
}

/** False when other messages break too. */
export const isToBlame = ({ trials }: PoisonDetector, messageId: string): boolean => {
  const trial = trials.get(messageId)
  return trial !== undefined && trial.breaks >= maxBreaks && trial.others !== 'broke'
}

export const forget = (detector: PoisonDetector, messageId: string): PoisonDetector => ({
  ...detector,
  trials: without(detector.trials, messageId),
})
