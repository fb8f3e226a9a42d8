import type { Instant } from '@prosa/contracts/values/instant'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { later } from '@prosa/kernel/clock'
import type { ConnectionCommand, ConnectionState } from '../domain/connection.ts'
import type { Close, LinkedNumber } from '../gateway/gateway.ts'
import type { SessionTimings } from '../timings.ts'
import { reconnectRule } from './reconnect-rule.ts'

/** Pure state machine of one line; `lineExecutor` performs the effects. */
export interface LineMachine {
  readonly generation: number
  /** null where a number was already linked. */
  readonly linkingUntil: Instant | null
  /** The same, until a phone takes a code. */
  readonly unlinkedUntil: Instant | null
  /**
   * `connecting` and `open`: a socket exists, or soon; `closing`: it is released; `waiting`: backoff; `ending`: the last fact is being
   * stored.
   */
  readonly phase: 'connecting' | 'open' | 'closing' | 'waiting' | 'ending' | 'ended'
  readonly isStopping: boolean
  readonly wasLinked: boolean
  readonly codes: number
  /** Consecutive counts; bad sessions are closes with 500, with the time of the first. */
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
  /** Resets the backoff: the line carried a message, or has lasted. */
  | { type: 'provenGood' }
  | { type: 'closed'; close: Close }
  | { type: 'released'; close: Close }
  | { type: 'waited' }
  | { type: 'linkingTimedOut' }
  | { type: 'expiryStored' }
  | { type: 'lastFactSettled' }
  | { type: 'leaseLost' }
  | { type: 'stopRequested' }

export type LineEffect =
  | { type: 'connect' }
  | { type: 'storeQrCode'; text: string; expiresAt: Instant }
  | { type: 'offerPairingCode' }
  | { type: 'deleteCodes' }
  | { type: 'endLinking' }
  | { type: 'record'; command: ConnectionCommand }
  /** Reports `lastFactSettled`. */
  | { type: 'recordLast'; command: ConnectionCommand }
  /** Reports `expiryStored`. */
  | { type: 'recordExpiry'; until: Instant }
  /** Reports `provenGood` after the steady time. */
  | { type: 'serve'; steadyMs: number }
  /** Reports `released`. `broke`: the close was not requested. */
  | { type: 'release'; close: Close; broke: boolean }
  | { type: 'wait'; ms: number }
  | { type: 'abort' }
  | { type: 'closeSocket' }
  | { type: 'end' }

export interface LineStep {
  state: LineMachine
  effects: readonly LineEffect[]
}

export interface LineContext {
  now: Instant
  /** In [0, 1); jitter. */
  random: number
  timings: Pick<SessionTimings, 'firstQrCode' | 'nextQrCode' | 'firstBackoff' | 'maxBackoff' | 'steady' | 'badSessions'>
}

/** WhatsApp asks for one restart after linking; after too many the backoff applies. */
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
    // A code between the scan and the requested restart is ignored.
    if (!state.wasLinked) return { state, effects: [] }
    // Codes for linked credentials mean that those are lost.
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
    // Opening proves that the credentials are good, not that the line lasts.
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

const follow = (before: LineMachine, why: Close, context: LineContext): LineStep => {
  if (before.isStopping) return end(before)
  const state = countBadSession(before, why, context.now)
  const { generation, unlinkedUntil, badSessions, firstBadSession, restarts } = state
  // While linking, the user is present and can scan a new code.
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
      // A phone may have scanned the last code meanwhile.
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

export const lineStates = ['linking', 'connecting', 'open'] as const
export type LineState = (typeof lineStates)[number]

export const lineStateOf = ({ phase, unlinkedUntil }: LineMachine): LineState =>
  phase === 'open' ? 'open' : unlinkedUntil === null ? 'connecting' : 'linking'

/** False once the line is over, or the connection has a new generation or linking attempt. */
export const serves = (line: LineMachine, wanted: ConnectionState): boolean =>
  line.phase !== 'ended' &&
  !line.isStopping &&
  wanted.generation === line.generation &&
  (wanted.status !== 'linking' || wanted.linkingUntil === line.linkingUntil)
