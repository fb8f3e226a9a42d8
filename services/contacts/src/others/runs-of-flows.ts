import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Reader } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'

export interface RunsOfFlows {
  running: ReadonlySet<string>
  /** Recent messages that started or answered a run. */
  messages: readonly string[]
  /** No flow starts until the conversation is finished. */
  waitsForPerson: boolean
  /** Nor while an attendant pauses them; `until` null: until resumed. */
  botPause: { at: Instant; until: Instant | null } | null
}

/** Queries are only about recent messages. */
const maxMessages = 500

const begun = (state: RunsOfFlows, runId: string): RunsOfFlows => ({
  ...state,
  running: new Set(state.running).add(runId),
})

const over = (state: RunsOfFlows, runId: string): RunsOfFlows => ({
  ...state,
  running: new Set([...state.running].filter((each) => each !== runId)),
})

const taken = (state: RunsOfFlows, messageId: string): RunsOfFlows => ({
  ...state,
  messages: withLast(state.messages, messageId, maxMessages),
})

const same = (state: RunsOfFlows) => state

/** Nothing that the contact writes at this time starts a flow. */
export const startsNoFlow = ({ waitsForPerson, botPause }: RunsOfFlows, at: Instant): boolean =>
  waitsForPerson || (botPause !== null && at >= botPause.at && (botPause.until === null || at < botPause.until))

/** Folded from automation's events. */
export const runsOfFlows: Reader<EventOf<typeof flowRunEvents>, RunsOfFlows> = {
  initial: { running: new Set(), messages: [], waitsForPerson: false, botPause: null },
  evolve: {
    FlowRunStarted: (before, { runId, startMessageId, startedBy }) => {
      // Before 25 November 2026 flows could start while waiting.
      const state = startedBy === 'flow' ? before : { ...before, waitsForPerson: false }
      return startMessageId === null ? begun(state, runId) : taken(begun(state, runId), startMessageId)
    },
    FlowRunTakenOver: (state, { runId }) => begun(state, runId),
    FlowRunMovedAway: (state, { runId }) => over(state, runId),
    FlowRunEnded: (state, { runId, reason }) => ({
      ...over(state, runId),
      waitsForPerson: reason === 'handed_over' || state.waitsForPerson,
    }),
    FlowAnswerReceived: (state, { messageId }) => taken(state, messageId),
    FlowInputKept: (state, { messageId }) => taken(state, messageId),
    FlowStepTaken: same,
    FlowMessageRequested: same,
    FlowLabelRequested: same,
    FlowFieldRequested: same,
    FlowDelayStarted: same,
    FlowAnswerAwaited: same,
    FlowRequestAsked: same,
    FlowRequestAnswered: same,
    FlowValueCalculated: same,
    FlowsPaused: same,
    FlowStartWithheld: same,
    FlowsResumed: (state, { isFinished = false }) => (isFinished ? { ...state, waitsForPerson: false } : state),
    BotPaused: (state, { pausedAt: at, until }) => ({ ...state, botPause: { at, until } }),
    BotResumed: (state, { resumedAt: until }) => ({
      ...state,
      botPause: state.botPause && { ...state.botPause, until },
    }),
    FlowCountsTakenOver: (state, { handedOverAt }) =>
      handedOverAt === undefined ? state : { ...state, waitsForPerson: true },
    FlowFinishRequested: same,
    FlowThanked: (state, { messageId }) => taken(state, messageId),
    FlowFinishUndone: same,
    OutOfHoursReplyRequested: same,
    FlowLinkOpened: same,
  },
}
