import type { Instant } from '@prosa/contracts/values/instant'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { later } from '@prosa/kernel/clock'
import type { ConnectionCommand, ConnectionState } from '../connection/connection.ts'
import type { LinkedNumber } from '../gateway/gateway.ts'
import type { SessionTimings } from '../timings.ts'
import { type Close, reconnectRule } from './reconnect-rule.ts'

/** The life of one line as a state machine: what happens is an input, what is to be done an effect. Pure; `lineExecutor` performs the effects. */
export interface LineMachine {
  readonly generation: number
  /** End of the attempt to link for which the line was started; null where a number was linked already. */
  readonly linkingUntil: Instant | null
  /** The same while no phone has taken a code. */
  readonly unlinkedUntil: Instant | null
  /**
   * `connecting` and `open`: there is a socket, or soon; `closing`: what belonged to it is released; `waiting`: until the next attempt;
   * `ending`: the last fact of the line is being stored.
   */
  readonly phase: 'connecting' | 'open' | 'closing' | 'waiting' | 'ending' | 'ended'
  /** It is to stop: whatever closes it is the end. */
  readonly isStopping: boolean
  /** Whether there was a number when this socket was opened. */
  readonly wasLinked: boolean
  /** QR codes that this socket has shown. */
  readonly codes: number
  /** In a row: attempts that failed, restarts that WhatsApp asked for, and closes with 500, with the time of the first of these. */
  readonly failures: number
  readonly restarts: number
  readonly badSessions: number
  readonly firstBadSession: Instant | null
}

export type LineInput =
  | { type: 'started' }
  | { type: 'qrCodeReceived'; text: string }
  | { type: 'linked'; number: LinkedNumber }
  | { type: 'opened'; number: LinkedNumber }
  /** The line carried a message, or has lasted: if it breaks now, it is reached again as quickly as at first. */
  | { type: 'provenGood' }
  | { type: 'closed'; close: Close }
  /** What belonged to the socket is released. */
  | { type: 'released'; close: Close }
  | { type: 'waited' }
  | { type: 'linkingTimedOut' }
  /** The fact that the attempt has expired is stored. */
  | { type: 'expiryStored' }
  /** The last fact is stored, or never will be. */
  | { type: 'lastFactSettled' }
  | { type: 'leaseLost' }
  | { type: 'stopRequested' }

export type LineEffect =
  | { type: 'connect' }
  /** Stores the picture of a code until `expiresAt`. */
  | { type: 'storeQrCode'; text: string; expiresAt: Instant }
  /** From now on WhatsApp may be asked for a code to type, where somebody wants one. */
  | { type: 'offerPairingCode' }
  /** Deletes the codes: a phone took one. */
  | { type: 'deleteCodes' }
  /** WhatsApp is not asked for codes any more. */
  | { type: 'endLinking' }
  | { type: 'record'; command: ConnectionCommand }
  /** Records and reports `lastFactSettled`. */
  | { type: 'recordLast'; command: ConnectionCommand }
  /** Records and reports `expiryStored`. */
  | { type: 'recordExpiry'; until: Instant }
  /** Messages flow: presence, sending, and `provenGood` after `steadyMs`. */
  | { type: 'serve'; steadyMs: number }
  /** Releases what belongs to the socket and reports `released`. `broke`: nobody wanted it to close. */
  | { type: 'release'; close: Close; broke: boolean }
  /** Reports `waited`. */
  | { type: 'wait'; ms: number }
  /** Ends all waiting of this line. */
  | { type: 'abort' }
  | { type: 'closeSocket' }
  | { type: 'end' }

export interface LineStep {
  state: LineMachine
  effects: readonly LineEffect[]
}

export interface LineContext {
  now: Instant
  /** In [0, 1); spreads waits. */
  random: number
  timings: Pick<SessionTimings, 'firstQrCode' | 'nextQrCode' | 'firstBackoff' | 'maxBackoff' | 'steady' | 'badSessions'>
}

/** WhatsApp asks for one restart after linking; one that asks again and again is waited for like any other trouble. */
const maxRestarts = 3

export const lineMachine = ({ generation, linkingUntil }: ConnectionState): LineMachine => ({
  generation,
  linkingUntil,
  unlinkedUntil: linkingUntil,
  phase: 'waiting',
  isStopping: false,
  wasLinked: linkingUntil === null,
  codes: 0,
  failures: 0,
  restarts: 0,
  badSessions: 0,
  firstBadSession: null,
})

const hasSocket = ({ phase }: LineMachine) => phase === 'connecting' || phase === 'open'

const connect = (state: LineMachine): LineStep => ({
  state: { ...state, phase: 'connecting', wasLinked: state.unlinkedUntil === null, codes: 0 },
  effects: [{ type: 'connect' }],
})

const end = (state: LineMachine): LineStep => ({ state: { ...state, phase: 'ended' }, effects: [{ type: 'end' }] })

const endWith = (state: LineMachine, command: ConnectionCommand): LineStep => ({
  state: { ...state, phase: 'ending' },
  effects: [{ type: 'recordLast', command }],
})

const close = (state: LineMachine, why: Close): LineStep => {
  if (!hasSocket(state)) return { state, effects: [] }
  const broke = state.phase === 'open' && !state.isStopping
  return { state: { ...state, phase: 'closing' }, effects: [{ type: 'release', close: why, broke }] }
}

/** A socket that is there ends the line when it closes; a wait ends it at once. */
const stop = (state: LineMachine, effects: readonly LineEffect[]): LineStep => {
  const stopping = { ...state, isStopping: true }
  if (state.phase !== 'waiting') return { state: stopping, effects }
  const ended = end(stopping)
  return { state: ended.state, effects: [...effects, ...ended.effects] }
}

const link = (state: LineMachine, number: LinkedNumber): LineStep => {
  if (state.unlinkedUntil === null) return { state, effects: [] }
  return {
    state: { ...state, unlinkedUntil: null },
    effects: [
      { type: 'endLinking' },
      { type: 'record', command: { type: 'LinkNumber', data: { generation: state.generation, ...number } } },
      { type: 'deleteCodes' },
    ],
  }
}

const showQrCode = (state: LineMachine, text: string, { now, timings }: LineContext): LineStep => {
  const { unlinkedUntil, generation, codes } = state
  if (unlinkedUntil === null) {
    // The next code may be due between the scan and the restart that WhatsApp asks for after it: it is nobody's.
    if (!state.wasLinked) return { state, effects: [] }
    // Credentials that were linked are lost when WhatsApp shows codes for them.
    return close(state, { code: 401, reason: 'credentials are missing' })
  }
  const ownEnd = later(now, codes === 0 ? timings.firstQrCode : timings.nextQrCode)
  const expiresAt = ownEnd < unlinkedUntil ? ownEnd : unlinkedUntil
  return {
    state: { ...state, codes: codes + 1 },
    effects: [
      { type: 'storeQrCode', text, expiresAt },
      { type: 'record', command: { type: 'IssueQrCode', data: { generation, expiresAt } } },
      { type: 'offerPairingCode' },
    ],
  }
}

const open = (state: LineMachine, number: LinkedNumber, { timings }: LineContext): LineStep => {
  const linked = link(state, number)
  if (!hasSocket(state)) return linked
  return {
    // A line that opens has good credentials, which is no proof that it lasts.
    state: { ...linked.state, phase: 'open', badSessions: 0 },
    effects: [
      ...linked.effects,
      { type: 'record', command: { type: 'OpenLine', data: { generation: state.generation } } },
      { type: 'serve', steadyMs: timings.steady },
    ],
  }
}

const waitFor = (state: LineMachine, why: Close, { random, timings }: LineContext): LineStep => ({
  state: { ...state, phase: 'waiting', failures: state.failures + 1 },
  effects: [
    { type: 'record', command: { type: 'DropLine', data: { generation: state.generation, ...why } } },
    {
      type: 'wait',
      ms: backoffMs(state.failures, { firstMs: timings.firstBackoff, maxMs: timings.maxBackoff }, random),
    },
  ],
})

const countBadSession = (state: LineMachine, { code }: Close, now: Instant): LineMachine => {
  if (code !== 500) return { ...state, badSessions: 0 }
  const firstBadSession = state.badSessions === 0 ? now : state.firstBadSession
  return { ...state, badSessions: state.badSessions + 1, firstBadSession }
}

/** What follows a close. */
const follow = (before: LineMachine, why: Close, context: LineContext): LineStep => {
  if (before.isStopping) return end(before)
  const state = countBadSession(before, why, context.now)
  const { generation, unlinkedUntil, badSessions, firstBadSession, restarts } = state
  // Who is linking a number sits in front of it and can scan a new code.
  const haveLasted =
    unlinkedUntil !== null || later(firstBadSession ?? context.now, context.timings.badSessions) <= context.now
  switch (reconnectRule(why, { count: badSessions, haveLasted })) {
    case 'unlinked':
      return endWith(state, { type: 'UnlinkNumber', data: { generation } })
    case 'refused':
      return endWith(state, { type: 'RefuseConnection', data: { generation, ...why } })
    case 'replaced':
      return endWith(state, { type: 'ReplaceConnection', data: { generation } })
    case 'refs_ended':
      if (unlinkedUntil === null) return connect(state)
      return endWith(state, { type: 'ExpireLinking', data: { until: unlinkedUntil } })
    case 'reconnect_at_once':
      if (restarts < maxRestarts) return connect({ ...state, restarts: restarts + 1 })
      return waitFor({ ...state, restarts: restarts + 1 }, why, context)
    case 'reconnect_later':
      return waitFor(state, why, context)
  }
}

export const lineStep = (state: LineMachine, input: LineInput, context: LineContext): LineStep => {
  switch (input.type) {
    case 'started':
    case 'waited':
      return state.phase === 'waiting' && !state.isStopping ? connect(state) : { state, effects: [] }
    case 'qrCodeReceived':
      return showQrCode(state, input.text, context)
    case 'linked':
      return link(state, input.number)
    case 'opened':
      return open(state, input.number, context)
    case 'provenGood':
      return { state: { ...state, failures: 0, restarts: 0 }, effects: [] }
    case 'closed':
      return close(state, input.close)
    case 'released':
      return follow(state, input.close, context)
    case 'linkingTimedOut':
      if (state.unlinkedUntil === null || state.isStopping) return { state, effects: [] }
      return { state, effects: [{ type: 'recordExpiry', until: state.unlinkedUntil }] }
    case 'expiryStored':
      // A phone may have scanned the last code while that was being stored.
      if (state.unlinkedUntil === null) return { state, effects: [] }
      return stop(state, [{ type: 'abort' }, { type: 'closeSocket' }])
    case 'lastFactSettled':
      return end(state)
    case 'leaseLost':
      return stop(state, [{ type: 'abort' }, { type: 'closeSocket' }])
    case 'stopRequested':
      return stop(state, [{ type: 'abort' }])
  }
}

/** What is to be seen of a line. */
export const lineStates = ['linking', 'connecting', 'open'] as const
export type LineState = (typeof lineStates)[number]

export const lineStateOf = ({ phase, unlinkedUntil }: LineMachine): LineState =>
  phase === 'open' ? 'open' : unlinkedUntil === null ? 'connecting' : 'linking'

/** False once the line is over, or the connection wants something else: other credentials, or a new attempt to link. */
export const serves = (line: LineMachine, wanted: ConnectionState): boolean =>
  line.phase !== 'ended' &&
  !line.isStopping &&
  wanted.generation === line.generation &&
  (wanted.status !== 'linking' || wanted.linkingUntil === line.linkingUntil)
