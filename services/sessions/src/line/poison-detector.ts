import { backoffMs } from '@prosa/kernel/async/backoff'
import type { SessionTimings } from '../timings.ts'

/**
 * So many times in a row a line has to break on one message before the message is to blame. The time that passes between them
 * grows, so that no trouble of a minute leads that far.
 */
const maxBreaks = 8

interface Trial {
  readonly contactId: string
  readonly breaks: number
  /** What became of the latest other message that was sent since. */
  readonly others: 'unknown' | 'answered' | 'broke'
}

interface InFlight {
  messageId: string
  contactId: string
}

/**
 * Which messages a line seems to break on. Lines break for many reasons, and a message that is on its way then has done nothing.
 * Distinguished by trial: from its second break on a message rests while the line is open, longer each time, and other contacts'
 * messages go. A line that breaks while nothing is on its way clears all of them. In memory: another process makes its own trial.
 * Times in milliseconds.
 */
export interface PoisonDetector {
  /** By message. */
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

/** After the first break it goes at once: most often it was chance. */
const restOf = ({ breaks }: Trial, { firstBackoff, maxBackoff }: PoisonTimings) =>
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

/** It is being sent; to be repeated when its bytes are surely on their way. */
export const sending = (detector: PoisonDetector, { messageId, contactId }: InFlight, now: number): PoisonDetector => ({
  ...detector,
  inFlight: { messageId, contactId, at: now },
})

/** WhatsApp answered to a message, with whatever result: the line survived it. */
export const answered = (detector: PoisonDetector, messageId: string): PoisonDetector => ({
  ...detector,
  inFlight: detector.inFlight?.messageId === messageId ? undefined : detector.inFlight,
  trials: withOthers(without(detector.trials, messageId), messageId, 'answered'),
})

/** There was no answer in good time, and no break either. */
export const unanswered = (detector: PoisonDetector): PoisonDetector => ({ ...detector, inFlight: undefined })

/** Contacts whose messages are passed over for now, and the milliseconds until the first of them is not; 0 when none is. */
export const resting = ({ trials, openSince }: PoisonDetector, timings: PoisonTimings, now: number) => {
  const open = now - openSince
  const rests = [...trials.values()].filter((trial) => restOf(trial, timings) > open)
  return {
    contactIds: rests.map(({ contactId }) => contactId),
    wait: rests.length > 0 ? Math.min(...rests.map((trial) => restOf(trial, timings))) - open : 0,
  }
}

/** Whether the message is to blame, and not the line or WhatsApp, on which others break too. */
export const isToBlame = ({ trials }: PoisonDetector, messageId: string): boolean => {
  const trial = trials.get(messageId)
  return trial !== undefined && trial.breaks >= maxBreaks && trial.others !== 'broke'
}

export const forget = (detector: PoisonDetector, messageId: string): PoisonDetector => ({
  ...detector,
  trials: without(detector.trials, messageId),
})
