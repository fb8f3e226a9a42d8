import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { Instant } from '@prosa/contracts/values/instant'
import { fold } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'
import { countedWith, noRecentFlows, type RecentFlows } from './recent-flows.ts'

export type FlowRunEvent = EventOf<typeof flowRunEvents>
type PauseData = Extract<FlowRunEvent, { type: 'FlowsPaused' }>['data']
/** Why nothing starts with a contact, and what had happened. */
export type Pause = Omit<PauseData, 'runId' | 'occasion'>
export type EndReason = Extract<FlowRunEvent, { type: 'FlowRunEnded' }>['data']['reason']

/** The contact waits for the person to whom a flow handed it over. */
export interface HandedOver {
  at: Instant
  /** It is recorded already that something would have started a flow. */
  isNoted: boolean
}

/** What the contact wrote while a run rested. */
export interface KeptInput {
  messageId: string
  text: string
}

/** A run that goes on. */
export interface Run {
  runId: string
  flowId: string
  version: number
  connectionId: string
  /** The last step that was taken. */
  step: number
  /** The step at which the contact answered last; below 0 where runs that went on into this one have taken steps since then. */
  answeredAt: number
  variables: Readonly<Record<string, string>>
  /** Where it waits, and until when; null only in the middle of a decision. */
  standing: { nodeId: string; waitsFor: 'time' | 'answer'; until: Instant } | null
  kept: readonly KeptInput[]
  /** Messages that it sent since the contact wrote last, also those of the run that went on into it. */
  unanswered: number
}

/** The runs with one contact. */
export interface FlowRuns {
  /** In the order in which they began. */
  runs: readonly Run[]
  /** By flow, when its last run ended. */
  endedAt: Readonly<Record<string, Instant>>
  /** The messages that led to something, and the runs that none began, the last ones: each does so once. */
  messageIds: readonly string[]
  /** What a run leaves to the one that it went on into. */
  left: (Pick<Run, 'variables' | 'kept' | 'unanswered'> & { stepsWithoutAnswer: number }) | null
  /** Runs that go on with another contact, the last ones, as they stood. */
  moved: readonly { to: string; run: Run }[]
  /** Runs that came from another contact, the last ones. */
  takenOver: readonly string[]
  /** What counts for the limits. */
  recent: RecentFlows
  /** While it is there, nothing runs and nothing starts. */
  paused: Pause | null
  /** While it is there, nothing starts. */
  handedOver: HandedOver | null
  /** When a person let flows go on last: what was before that counts no more. */
  resumedAt: Instant | null
  isErased: boolean
}

/** Messages that are kept for the next questions, at most: who writes more while a run rests is not answered to each. */
export const maxKept = 50
const maxMessageIds = 200
/** As many as may run at a time: one of each flow. */
const maxMoved = 1000

const changeRun = (state: FlowRuns, runId: string, change: (run: Run) => Run): FlowRuns => ({
  ...state,
  runs: state.runs.map((run) => (run.runId === runId ? change(run) : run)),
})

const withoutRun = (state: FlowRuns, runId: string): FlowRuns => ({
  ...state,
  runs: state.runs.filter((run) => run.runId !== runId),
})

/** Undefined where the contact was erased since. */
export const readRun = (text: string): Run | undefined =>
  // What was moved before 25 November 2026 counted no messages.
  text.startsWith('{') ? { unanswered: 0, ...(JSON.parse(text) as Omit<Run, 'unanswered'>) } : undefined

/** The contact wrote: what runs sent before it has been answered. */
const answered = (state: FlowRuns): FlowRuns => ({
  ...state,
  runs: state.runs.map((run) => (run.unanswered === 0 ? run : { ...run, unanswered: 0 })),
})

const counting = (state: FlowRuns, kind: keyof RecentFlows, id: string, at: Instant | undefined): FlowRuns =>
  at === undefined
    ? state
    : { ...state, recent: { ...state.recent, [kind]: countedWith(state.recent[kind], [{ id, at }]) } }

const waitingSince = ({ handedOver }: FlowRuns, at: Instant): HandedOver =>
  handedOver && handedOver.at > at ? handedOver : { at, isNoted: false }

/** A transfer makes the contact wait; nobody waits who was erased. */
const handedOverAfter = (state: FlowRuns, reason: EndReason, endedAt: Instant): HandedOver | null => {
  if (reason === 'contact_erased') return null
  return reason === 'handed_over' ? waitingSince(state, endedAt) : state.handedOver
}

type Evolve = {
  [T in FlowRunEvent['type']]: (state: FlowRuns, data: Extract<FlowRunEvent, { type: T }>['data']) => FlowRuns
}

export const noRuns: FlowRuns = {
  runs: [],
  endedAt: {},
  messageIds: [],
  left: null,
  moved: [],
  takenOver: [],
  recent: noRecentFlows,
  paused: null,
  handedOver: null,
  resumedAt: null,
  isErased: false,
}

export const evolveRuns: Evolve = {
  FlowRunStarted: (before, { runId, flowId, version, connectionId, startedBy, startMessageId, text, startedAt }) => {
    const state = startMessageId === null ? before : answered(before)
    const { unanswered = 0, stepsWithoutAnswer = 0 } = (startedBy === 'flow' && state.left) || {}
    const run: Run = {
      ...{ runId, flowId, version, connectionId, step: 0, standing: null, unanswered },
      // 0 and not -0 where there are none: a state is compared with what was stored of it.
      answeredAt: 0 - stepsWithoutAnswer,
      variables: { ...state.left?.variables, resposta: text },
      kept: state.left?.kept ?? [],
    }
    const begun: FlowRuns = {
      ...state,
      left: null,
      messageIds: withLast(state.messageIds, startMessageId ?? runId, maxMessageIds),
      runs: [...state.runs.filter((each) => each.runId !== runId), run],
    }
    // What a run goes on into is no start: a customer goes round in menus.
    if (startedBy === 'flow') return begun
    // Only before 25 November 2026 something started all the same: a wait that was broken then is over.
    return counting({ ...begun, handedOver: null }, 'starts', runId, startedAt)
  },
  FlowStepTaken: (state, { runId, step }) => changeRun(state, runId, (run) => ({ ...run, step, standing: null })),
  FlowMessageRequested: (state, { runId, step, messageId, requestedAt }) =>
    changeRun(counting(state, 'messages', messageId, requestedAt), runId, (run) => ({
      ...run,
      step,
      unanswered: run.unanswered + 1,
    })),
  FlowLabelRequested: (state, { runId, step }) => changeRun(state, runId, (run) => ({ ...run, step })),
  FlowDelayStarted: (state, { runId, step, nodeId, until }) =>
    changeRun(state, runId, (run) => ({ ...run, step, standing: { nodeId, waitsFor: 'time', until } })),
  FlowAnswerAwaited: (state, { runId, step, nodeId, until }) =>
    changeRun(state, runId, (run) => ({ ...run, step, standing: { nodeId, waitsFor: 'answer', until } })),
  FlowAnswerReceived: (state, { runId, step, messageId, variable, text }) =>
    changeRun(
      answered({ ...state, messageIds: withLast(state.messageIds, messageId, maxMessageIds) }),
      runId,
      (run) => ({
        ...run,
        step,
        answeredAt: step,
        variables: { ...run.variables, [variable]: text, resposta: text },
        kept: run.kept.filter((each) => each.messageId !== messageId),
      }),
    ),
  FlowInputKept: (state, { runId, messageId, text }) =>
    changeRun(
      answered({ ...state, messageIds: withLast(state.messageIds, messageId, maxMessageIds) }),
      runId,
      (run) => ({
        ...run,
        kept: [...run.kept, { messageId, text }],
      }),
    ),
  FlowRunMovedAway: (state, { runId, to }) => {
    const run = state.runs.find((each) => each.runId === runId)
    if (!run) return state
    return { ...withoutRun(state, runId), moved: withLast(state.moved, { to, run }, maxMoved) }
  },
  FlowRunTakenOver: (state, { runId, state: text }) => {
    const run = readRun(text)
    return {
      ...state,
      takenOver: withLast(state.takenOver, runId, maxMoved),
      runs: run ? [...state.runs, run] : state.runs,
    }
  },
  FlowRunEnded: (state, { runId, flowId, reason, endedAt }) => {
    const run = state.runs.find((each) => each.runId === runId)
    const left =
      reason === 'went_on' && run
        ? {
            ...{ variables: run.variables, kept: run.kept, unanswered: run.unanswered },
            stepsWithoutAnswer: run.step - run.answeredAt,
          }
        : state.left
    return {
      ...withoutRun(
        reason === 'contact_erased' ? { ...state, recent: noRecentFlows, paused: null, resumedAt: null } : state,
        runId,
      ),
      left,
      handedOver: handedOverAfter(state, reason, endedAt),
      endedAt: { ...state.endedAt, [flowId]: endedAt },
      isErased: state.isErased || reason === 'contact_erased',
    }
  },
  FlowsPaused: (state, { runId: _, occasion, ...paused }) => ({
    ...state,
    paused,
    messageIds: occasion === null ? state.messageIds : withLast(state.messageIds, occasion, maxMessageIds),
  }),
  FlowStartWithheld: (state, { occasion }) => ({
    ...state,
    handedOver: state.handedOver && { ...state.handedOver, isNoted: true },
    messageIds: withLast(state.messageIds, occasion, maxMessageIds),
  }),
  FlowsResumed: (state, { resumedAt, isFinished = false }) => ({
    ...state,
    paused: null,
    handedOver: isFinished ? null : state.handedOver,
    recent: noRecentFlows,
    resumedAt,
  }),
  FlowCountsTakenOver: (state, { starts, messages, handedOverAt }) => ({
    ...state,
    handedOver: handedOverAt === undefined ? state.handedOver : waitingSince(state, handedOverAt),
    recent: {
      starts: countedWith(state.recent.starts, starts),
      messages: countedWith(state.recent.messages, messages),
    },
  }),
  FlowLinkOpened: (state) => state,
}

/** The state after some events. */
export const foldRuns = (state: FlowRuns, events: Iterable<FlowRunEvent>): FlowRuns =>
  fold<never, FlowRunEvent, FlowRuns, never>({ initial: noRuns, decide: {}, evolve: evolveRuns }, state, events)
