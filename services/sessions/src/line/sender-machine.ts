import type { Instant } from '@prosa/contracts/values/instant'
import type { NextMessage } from '../outbox/outbox.ts'
import { isCorrection, isPlain, isSideWork } from '../outbox/outgoing-work.ts'
import type { NumberChange } from './number-change.ts'
import * as paces from './pacing/line-pace.ts'
import * as poison from './poison-detector.ts'

/** Unanswered attempts until the message is given up: it must not block others. */
export const maxAttempts = 5

/** By default a look at the outbox follows. */
type Phase =
  | { at: 'down' }
  /** Not interrupted; then `failed` counts as attempted. */
  | { at: 'pausing'; failed?: NextMessage }
  | { at: 'idle' }
  | { at: 'looking'; idleMs: number }
  /** `forgets`: clears suspicion of this message. */
  | { at: 'working'; forgets?: string }
  | { at: 'askingPartner'; message: NextMessage }
  | { at: 'releasingDeferred'; message: NextMessage }
  | { at: 'findingOriginal'; message: NextMessage }
  | { at: 'sending'; message: NextMessage }
  /** From here on the answer has a timeout. */
  | { at: 'awaitingAnswer'; message: NextMessage }
  | { at: 'lookingUpNumber'; message: NextMessage }
  | { at: 'counting'; code: string; message: NextMessage; pauses: boolean }

/** One message at a time, so that contacts get them in order. Pure; `sender` executes it. */
export interface SenderMachine {
  readonly phase: Phase
  readonly isAwake: boolean
  readonly pace: paces.LinePace
  readonly detector: poison.PoisonDetector
  /** Contacts whose list of devices the server reported as outdated. */
  readonly outdated: ReadonlySet<string>
  /** Results of earlier sends are ignored. */
  readonly sendings: number
  readonly change: NumberChange | null
}

export type SenderInput =
  | { type: 'lineOpened'; change: NumberChange | null }
  /** Comes before `lineClosed`. */
  | { type: 'lineBroke' }
  | { type: 'lineClosed' }
  | { type: 'woken' }
  | { type: 'waited' }
  | { type: 'found'; message: NextMessage | undefined }
  | { type: 'partnerKnown'; hasPartner: boolean }
  | { type: 'deferredReleased'; changed: boolean }
  /** True when the message to be corrected was never sent. */
  | { type: 'originalFound'; hasFailed: boolean }
  | { type: 'sent'; sending: number }
  | { type: 'notSent'; sending: number; error: unknown }
  | { type: 'numberLookedUp'; hasNoAccount: boolean }
  | { type: 'acknowledged'; messageId: string; error: string | undefined }
  /** A receipt proves that the server accepted the message. */
  | { type: 'proven'; messageId: string }
  | { type: 'counted'; attempts: number }
  | { type: 'sideWorkFailed'; message: NextMessage }
  | { type: 'done' }
  | { type: 'failed' }

export type SenderEffect =
  /** Reports `found`: the first allowed waiting message. */
  | {
      type: 'look'
      except: readonly string[]
      withoutDeferred: boolean
      numberSince: NumberChange['position'] | undefined
    }
  /** Reports `waited`; 0: never. */
  | { type: 'wait'; ms: number }
  | { type: 'askPartner'; message: NextMessage; since: Instant | undefined }
  | { type: 'releaseDeferred'; contactId: string }
  | { type: 'findOriginal'; messageId: string }
  | { type: 'send'; message: NextMessage; asksDevices: boolean; sending: number }
  /** Checks that the number has an account, after the send failed with `error`. */
  | { type: 'lookUpNumber'; message: NextMessage; error: unknown }
  | { type: 'countAttempt'; messageId: string }
  /** Concurrent; meanwhile messages to its contact are skipped. */
  | { type: 'prepare'; message: NextMessage }
  /** Records a late answer. Reports nothing. */
  | { type: 'settleLate'; messageId: string; error: string | undefined }
  /** These report `done`. */
  | { type: 'defer'; contactId: string }
  | { type: 'runSideWork'; message: NextMessage }
  | { type: 'recordDispatched'; messageId: string }
  | { type: 'recordFailed'; messageId: string; code: string }

export interface SenderStep {
  state: SenderMachine
  effects: readonly SenderEffect[]
}

export interface SenderContext {
  /** Milliseconds. */
  now: number
  /** In [0, 1); jitter. */
  random: number
  timings: paces.PaceTimings & poison.PoisonTimings & { acknowledgement: number }
}

export const senderMachine = (timings: paces.PaceTimings, now: number): SenderMachine => ({
  phase: { at: 'down' },
  isAwake: false,
  pace: paces.fullPace(timings, now),
  detector: poison.poisonDetector(now),
  outdated: new Set(),
  sendings: 0,
  change: null,
})

const only = (state: SenderMachine): SenderStep => ({ state, effects: [] })

const enter = (state: SenderMachine, phase: Phase, ...effects: SenderEffect[]): SenderStep => ({
  state: { ...state, phase },
  effects,
})

const soonest = (one: number, other: number) => (one && other ? Math.min(one, other) : one || other)

const look = (before: SenderMachine, { now, random, timings }: SenderContext): SenderStep => {
  const state = { ...before, pace: paces.refilledPace(before.pace, timings, now) }
  const ms = paces.waitForAny(state.pace, timings, now, random)
  if (ms > 0) return enter(state, { at: 'pausing' }, { type: 'wait', ms })
  // Computed once: otherwise nothing might wake up for deferred messages.
  const untilFirst = paces.waitForFirst(state.pace, timings, now)
  const { contactIds, wait } = poison.backingOff(state.detector, timings, now)
  return enter(
    { ...state, isAwake: false },
    { at: 'looking', idleMs: soonest(untilFirst, wait) },
    { type: 'look', except: contactIds, withoutDeferred: untilFirst > 0, numberSince: state.change?.position },
  )
}

const fail = (state: SenderMachine, messageId: string, code: string, forgets?: string): SenderStep =>
  enter(state, { at: 'working', ...(forgets && { forgets }) }, { type: 'recordFailed', messageId, code })

const send = (state: SenderMachine, message: NextMessage, { now }: SenderContext): SenderStep => {
  const { contactId } = message
  const sending = state.sendings + 1
  const outdated = new Set([...state.outdated].filter((each) => each !== contactId))
  const asksDevices = state.outdated.has(contactId)
  return enter(
    { ...state, outdated, sendings: sending, detector: poison.sending(state.detector, message, now) },
    { at: 'sending', message },
    { type: 'send', message, asksDevices, sending },
  )
}

const attempt = (state: SenderMachine, message: NextMessage, context: SenderContext): SenderStep => {
  const { messageId, work, prepared, attempts } = message
  if (!work && !prepared) return fail(state, messageId, 'text_forgotten')
  // A correction that may have been sent is retried to its end.
  if (isCorrection(work) && attempts === 0)
    return enter(state, { at: 'findingOriginal', message }, { type: 'findOriginal', messageId: work.messageId })
  return send(state, message, context)
}

const correctionFault = ({ work }: NextMessage, hasFailed: boolean, now: number): string | undefined => {
  if (hasFailed) return 'original_not_sent'
  if (!isCorrection(work) || work.until === null) return undefined
  return now > Date.parse(work.until) ? 'correction_too_late' : undefined
}

/** First messages have a slower rate limit; skipped until then. */
const sendWithinPace = (
  state: SenderMachine,
  message: NextMessage,
  isFirst: boolean,
  context: SenderContext,
): SenderStep => {
  const { now, timings } = context
  const { contactId } = message
  if (isFirst) {
    const pace = paces.takeFirst(state.pace, timings, now)
    if (!pace) return enter(state, { at: 'working' }, { type: 'defer', contactId })
    return attempt({ ...state, pace }, message, context)
  }
  // Messages deferred before the contact wrote go before later ones.
  if (paces.waitForFirst(state.pace, timings, now) > 0)
    return enter(state, { at: 'releasingDeferred', message }, { type: 'releaseDeferred', contactId })
  return attempt({ ...state, pace: paces.takeAny(state.pace, timings, now) }, message, context)
}

const begin = (state: SenderMachine, message: NextMessage, context: SenderContext): SenderStep => {
  const { messageId, work, prepared, isAcquainted } = message
  if (message.isOfEarlierNumber) return fail(state, messageId, 'number_changed')
  if (poison.isToBlame(state.detector, messageId)) return fail(state, messageId, 'line_broken', messageId)
  if (work && isSideWork(work)) return enter(state, { at: 'working' }, { type: 'runSideWork', message })
  if (work && !prepared && !isPlain(work)) {
    const next = look(state, context)
    return { state: next.state, effects: [{ type: 'prepare', message }, ...next.effects] }
  }
  if (work?.kind === 'message' && !isAcquainted)
    return enter(state, { at: 'askingPartner', message }, { type: 'askPartner', message, since: state.change?.at })
  return sendWithinPace(state, message, false, context)
}

const found = (state: SenderMachine, message: NextMessage | undefined, context: SenderContext): SenderStep => {
  if (state.phase.at !== 'looking') return only(state)
  if (message) return begin(state, message, context)
  if (state.isAwake) return look(state, context)
  return enter(state, { at: 'idle' }, { type: 'wait', ms: state.phase.idleMs })
}

const slowed = (state: SenderMachine, code: string, { now, timings }: SenderContext): SenderMachine => ({
  ...state,
  pace: paces.slowedBy(state.pace, code, timings, now),
})

const count = (state: SenderMachine, message: NextMessage, code: string, pauses = false): SenderStep =>
  enter(state, { at: 'counting', message, code, pauses }, { type: 'countAttempt', messageId: message.messageId })

const isInFlight = ({ phase }: SenderMachine, messageId: string) =>
  (phase.at === 'sending' || phase.at === 'awaitingAnswer') && phase.message.messageId === messageId

/** `error` is the server's refusal code. */
const answer = (before: SenderMachine, error: string | undefined, context: SenderContext): SenderStep => {
  const { phase } = before
  if (phase.at !== 'sending' && phase.at !== 'awaitingAnswer') return only(before)
  const { message } = phase
  const { messageId, contactId, attempts } = message
  const state = { ...before, detector: poison.answered(before.detector, messageId) }
  if (error === undefined) return enter(state, { at: 'working' }, { type: 'recordDispatched', messageId })
  const slower = slowed(state, error, context)
  // Temporary refusals: retried.
  if (error === '479' && attempts === 0)
    return count({ ...slower, outdated: new Set([...slower.outdated, contactId]) }, message, 'no_acknowledgement')
  if (error === '429' && attempts + 1 < maxAttempts) return count(slower, message, 'no_acknowledgement')
  return fail(slower, messageId, error)
}

const acknowledged = (
  state: SenderMachine,
  messageId: string,
  error: string | undefined,
  context: SenderContext,
): SenderStep => {
  if (isInFlight(state, messageId)) return answer(state, error, context)
  const survived = { ...state, detector: poison.answered(state.detector, messageId) }
  const slower = error === undefined ? survived : slowed(survived, error, context)
  if (error === '429' || error === '479') return only(slower)
  return { state: slower, effects: [{ type: 'settleLate', messageId, error }] }
}

const pause = (state: SenderMachine, { timings }: SenderContext, failed?: NextMessage): SenderStep =>
  enter(state, { at: 'pausing', ...(failed && { failed }) }, { type: 'wait', ms: timings.firstBackoff })

const waited = (state: SenderMachine, context: SenderContext): SenderStep => {
  const { phase } = state
  if (phase.at === 'idle') return look(state, context)
  if (phase.at === 'pausing') return phase.failed ? count(state, phase.failed, 'not_sendable') : look(state, context)
  if (phase.at !== 'awaitingAnswer') return only(state)
  return count({ ...state, detector: poison.unanswered(state.detector) }, phase.message, 'no_acknowledgement')
}

const counted = (state: SenderMachine, attempts: number, context: SenderContext): SenderStep => {
  const { phase } = state
  if (phase.at !== 'counting') return only(state)
  if (phase.pauses) return pause(state, context)
  return attempts >= maxAttempts ? fail(state, phase.message.messageId, phase.code) : look(state, context)
}

const sent = (state: SenderMachine, sending: number, { now, timings }: SenderContext): SenderStep => {
  if (state.phase.at !== 'sending' || sending !== state.sendings) return only(state)
  const { message } = state.phase
  return enter(
    { ...state, detector: poison.sending(state.detector, message, now) },
    { at: 'awaitingAnswer', message },
    { type: 'wait', ms: timings.acknowledgement },
  )
}

type Steps = {
  [T in SenderInput['type']]: (
    state: SenderMachine,
    input: Extract<SenderInput, { type: T }>,
    context: SenderContext,
  ) => SenderStep
}

const steps: Steps = {
  lineOpened: (state, { change }, context) =>
    look({ ...state, change, detector: poison.lineOpened(state.detector, context.now) }, context),
  lineBroke: (state, _, { now, timings }) =>
    only({ ...state, detector: poison.lineBroke(state.detector, timings, now) }),
  lineClosed: (state) => enter(state, { at: 'down' }),
  woken: (state, _, context) => (state.phase.at === 'idle' ? look(state, context) : only({ ...state, isAwake: true })),
  waited: (state, _, context) => waited(state, context),
  found: (state, { message }, context) => found(state, message, context),
  partnerKnown: (state, { hasPartner }, context) =>
    state.phase.at === 'askingPartner' ? sendWithinPace(state, state.phase.message, !hasPartner, context) : only(state),
  deferredReleased(state, { changed }, context) {
    if (state.phase.at !== 'releasingDeferred') return only(state)
    if (changed) return look(state, context)
    const pace = paces.takeAny(state.pace, context.timings, context.now)
    return attempt({ ...state, pace }, state.phase.message, context)
  },
  originalFound(state, { hasFailed }, context) {
    if (state.phase.at !== 'findingOriginal') return only(state)
    const { message } = state.phase
    const fault = correctionFault(message, hasFailed, context.now)
    return fault ? fail(state, message.messageId, fault) : send(state, message, context)
  },
  sent: (state, { sending }, context) => sent(state, sending, context),
  notSent(state, { sending, error }) {
    if (state.phase.at !== 'sending' || sending !== state.sendings) return only(state)
    const { message } = state.phase
    return enter(state, { at: 'lookingUpNumber', message }, { type: 'lookUpNumber', message, error })
  },
  numberLookedUp(state, { hasNoAccount }, context) {
    if (state.phase.at !== 'lookingUpNumber') return only(state)
    const { message } = state.phase
    return hasNoAccount ? fail(state, message.messageId, 'number_not_on_whatsapp') : pause(state, context, message)
  },
  acknowledged: (state, { messageId, error }, context) => acknowledged(state, messageId, error, context),
  proven: (state, { messageId }, context) =>
    isInFlight(state, messageId) ? answer(state, undefined, context) : only(state),
  counted: (state, { attempts }, context) => counted(state, attempts, context),
  sideWorkFailed: (state, { message }) =>
    message.attempts + 1 >= maxAttempts
      ? fail(state, message.messageId, 'not_sendable')
      : count(state, message, 'not_sendable', true),
  done(state, _, context) {
    if (state.phase.at !== 'working') return only(state)
    const { forgets } = state.phase
    return look(forgets ? { ...state, detector: poison.forget(state.detector, forgets) } : state, context)
  },
  failed: (state, _, context) => (state.phase.at === 'down' ? only(state) : pause(state, context)),
}

export const senderStep = (state: SenderMachine, input: SenderInput, context: SenderContext): SenderStep =>
  (steps[input.type] as (state: SenderMachine, input: SenderInput, context: SenderContext) => SenderStep)(
    state,
    input,
    context,
  )
