import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import type { Instant } from '@prosa/contracts/values/instant'
import { fold } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'
import { countedWith, noRecentFlows, type RecentFlows } from './recent-flows.ts'

export type FlowRunEvent = EventOf<typeof flowRunEvents>
type PauseData = Extract<FlowRunEvent, { type: 'FlowsPaused' }>['data']
export type Pause = Omit<PauseData, 'runId' | 'occasion'>
export type EndReason = Extract<FlowRunEvent, { type: 'FlowRunEnded' }>['data']['reason']

export interface HandedOver {
  at: Instant
  /** Recorded that a flow would have started. */
  isNoted: boolean
}

/** The latest that an attendant set for this contact; `until` null: until resumed. */
export interface BotPause {
  at: Instant
  until: Instant | null
  attendantId: string
}

/** The latest conversation that a flow finished. */
export interface Finished {
  runId: string
  flowId: string
  version: number
  step: number
  nodeId: string
  connectionId: string
  until: Instant
  /** Empty once it was sent. */
  thanks: string
}

export interface KeptInput {
  messageId: string
  text: string
  /** Name or kind of a file that came with it. */
  file?: string | undefined
}

export interface Run {
  runId: string
  flowId: string
  version: number
  connectionId: string
  step: number
  /** Negative if preceding runs took steps since. */
  answeredAt: number
  variables: Readonly<Record<string, string>>
  /** Of variables that checked answers set. */
  types?: Readonly<Record<string, AnswerType>>
  /** Null only within a decision. */
  standing: {
    nodeId: string
    /** Reply: to a request. */
    waitsFor: 'time' | 'answer' | 'reply'
    until: Instant
    /** How often it asked again. */
    attempt?: number
    /** Which the request is sent with. */
    values?: Readonly<Record<string, string>>
  } | null
  kept: readonly KeptInput[]
  /** Includes messages of preceding runs. */
  unanswered: number
}

export interface FlowRuns {
  runs: readonly Run[]
  /** By flow, the last run's end. */
  endedAt: Readonly<Record<string, Instant>>
  /** Recently consumed ids: each acts once. */
  messageIds: readonly string[]
  /** A run leaves this to the one that follows it. */
  left: (Pick<Run, 'variables' | 'types' | 'kept' | 'unanswered'> & { stepsWithoutAnswer: number }) | null
  /** Recent runs moved to another contact. */
  moved: readonly { to: string; run: Run }[]
  /** Recent runs taken over from another contact. */
  takenOver: readonly string[]
  /** Counts toward the limits. */
  recent: RecentFlows
  /** While set, nothing runs or starts. */
  paused: Pause | null
  /** While set, nothing starts. */
  handedOver: HandedOver | null
  finished: Finished | null
  /** While it lasts, nothing runs or starts. */
  botPause: BotPause | null
  /** Earlier activity no longer counts. */
  resumedAt: Instant | null
  isErased: boolean
}

/** Further messages get no answer each. */
export const maxKeptInputs = 50
const maxMessageIds = 200
/** One run of each flow may move. */
const maxMoved = 1000

const changeRun = (state: FlowRuns, runId: string, change: (run: Run) => Run): FlowRuns => ({
  ...state,
  runs: state.runs.map((run) => (run.runId === runId ? change(run) : run)),
})

const withoutRun = (state: FlowRuns, runId: string): FlowRuns => ({
  ...state,
  runs: state.runs.filter((run) => run.runId !== runId),
})

/** Undefined if the contact was erased. */
export const readRun = (text: string): Run | undefined =>
  // Before 25 November 2026 moved runs did not count messages.
  text.startsWith('{') ? { unanswered: 0, ...(JSON.parse(text) as Omit<Run, 'unanswered'>) } : undefined

const answered = (state: FlowRuns): FlowRuns => ({
  ...state,
  runs: state.runs.map((run) => (run.unanswered === 0 ? run : { ...run, unanswered: 0 })),
})

/** A variable that is set without a check has no type any more. */
/** Of variables that were set now. */
const withTypes = (
  { types: before }: Run,
  set: readonly string[],
  types: Readonly<Record<string, AnswerType>>,
): Pick<Run, 'types'> => {
  if (!before && Object.keys(types).length === 0) return {}
  const others = Object.entries(before ?? {}).filter(([name]) => !set.includes(name))
  return { types: { ...Object.fromEntries(others), ...types } }
}

const counting = (state: FlowRuns, kind: keyof RecentFlows, id: string, at: Instant | undefined): FlowRuns =>
  at === undefined
    ? state
    : { ...state, recent: { ...state.recent, [kind]: countedWith(state.recent[kind], [{ id, at }]) } }

export const isBotPaused = ({ botPause }: FlowRuns, at: Instant): boolean =>
  botPause !== null && at >= botPause.at && (botPause.until === null || at < botPause.until)

const waitingSince = ({ handedOver }: FlowRuns, at: Instant): HandedOver =>
  handedOver && handedOver.at > at ? handedOver : { at, isNoted: false }

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
  finished: null,
  botPause: null,
  resumedAt: null,
  isErased: false,
}

export const evolveRuns: Evolve = {
  FlowRunStarted: (before, { runId, flowId, version, connectionId, startedBy, startMessageId, text, startedAt }) => {
    const state = startMessageId === null ? before : answered(before)
    const { unanswered = 0, stepsWithoutAnswer = 0 } = (startedBy === 'flow' && state.left) || {}
    const run: Run = {
      ...{ runId, flowId, version, connectionId, step: 0, standing: null, unanswered },
      // Not -0: states are compared with stored ones.
      answeredAt: 0 - stepsWithoutAnswer,
      variables: { ...state.left?.variables, resposta: text },
      ...(state.left?.types && { types: state.left.types }),
      kept: state.left?.kept ?? [],
    }
    const begun: FlowRuns = {
      ...state,
      left: null,
      messageIds: withLast(state.messageIds, startMessageId ?? runId, maxMessageIds),
      runs: [...state.runs.filter((each) => each.runId !== runId), run],
    }
    // Not a start: customers may loop through menus.
    if (startedBy === 'flow') return begun
    // Flows could start during a wait, ending it, only before 25 November 2026.
    return counting({ ...begun, handedOver: null, finished: null }, 'starts', runId, startedAt)
  },
  FlowStepTaken: (state, { runId, step }) => changeRun(state, runId, (run) => ({ ...run, step, standing: null })),
  FlowMessageRequested: (state, { runId, step, messageId, requestedAt }) =>
    changeRun(counting(state, 'messages', messageId, requestedAt), runId, (run) => ({
      ...run,
      step,
      unanswered: run.unanswered + 1,
    })),
  FlowLabelRequested: (state, { runId, step }) => changeRun(state, runId, (run) => ({ ...run, step })),
  FlowFieldRequested: (state, { runId, step }) => changeRun(state, runId, (run) => ({ ...run, step })),
  FlowDelayStarted: (state, { runId, step, nodeId, until }) =>
    changeRun(state, runId, (run) => ({ ...run, step, standing: { nodeId, waitsFor: 'time', until } })),
  FlowAnswerAwaited: (state, { runId, step, nodeId, until, attempt }) =>
    changeRun(state, runId, (run) => ({
      ...run,
      step,
      standing: { nodeId, waitsFor: 'answer', until, ...(attempt !== undefined && { attempt }) },
    })),
  FlowAnswerReceived: (state, { runId, step, messageId, variable, text, value, answerType }) =>
    changeRun(
      answered({ ...state, messageIds: withLast(state.messageIds, messageId, maxMessageIds) }),
      runId,
      (run) => ({
        ...run,
        step,
        answeredAt: step,
        variables: { ...run.variables, [variable]: value ?? text, resposta: text },
        ...withTypes(run, [variable], answerType ? { [variable]: answerType } : {}),
        kept: run.kept.filter((each) => each.messageId !== messageId),
      }),
    ),
  FlowRequestAsked: (state, { runId, step, nodeId, until, values }) =>
    changeRun(state, runId, (run) => ({ ...run, step, standing: { nodeId, waitsFor: 'reply', until, values } })),
  FlowRequestAnswered: (state, { runId, step, values, types = {} }) =>
    changeRun(state, runId, (run) => ({
      ...run,
      step,
      variables: { ...run.variables, ...values },
      ...withTypes(run, Object.keys(values), types),
    })),
  FlowValueCalculated: (state, { runId, step, variable, value }) =>
    changeRun(state, runId, (run) =>
      value === undefined
        ? { ...run, step }
        : {
            ...run,
            step,
            variables: { ...run.variables, [variable]: value },
            ...withTypes(run, [variable], { [variable]: 'number' }),
          },
    ),
  FlowInputKept: (state, { runId, messageId, text, file }) =>
    changeRun(
      answered({ ...state, messageIds: withLast(state.messageIds, messageId, maxMessageIds) }),
      runId,
      (run) => ({
        ...run,
        kept: [...run.kept, { messageId, text, ...(file !== undefined && { file }) }],
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
            ...(run.types && { types: run.types }),
            stepsWithoutAnswer: run.step - run.answeredAt,
          }
        : state.left
    return {
      ...withoutRun(
        reason === 'contact_erased'
          ? { ...state, recent: noRecentFlows, paused: null, finished: null, botPause: null, resumedAt: null }
          : state,
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
  BotPaused: (state, { pausedAt: at, until, attendantId }) => ({ ...state, botPause: { at, until, attendantId } }),
  BotResumed: (state, { resumedAt }) => ({
    ...state,
    botPause: state.botPause && { ...state.botPause, until: resumedAt },
  }),
  FlowCountsTakenOver: (state, { starts, messages, handedOverAt }) => ({
    ...state,
    handedOver: handedOverAt === undefined ? state.handedOver : waitingSince(state, handedOverAt),
    recent: {
      starts: countedWith(state.recent.starts, starts),
      messages: countedWith(state.recent.messages, messages),
    },
  }),
  FlowFinishRequested: (state, finished) => ({
    ...changeRun(state, finished.runId, (run) => ({ ...run, step: finished.step })),
    finished,
  }),
  FlowThanked: (state, { step, messageId }) => ({
    ...state,
    messageIds: withLast(state.messageIds, messageId, maxMessageIds),
    finished: state.finished && { ...state.finished, step, thanks: '' },
  }),
  FlowFinishUndone: (state, { messageId }) => ({
    ...state,
    messageIds: messageId === null ? state.messageIds : withLast(state.messageIds, messageId, maxMessageIds),
    finished: null,
  }),
  OutOfHoursReplyRequested: (state, { messageId }) => ({
    ...state,
    messageIds: withLast(state.messageIds, messageId, maxMessageIds),
  }),
  FlowLinkOpened: (state) => state,
}

export const foldRuns = (state: FlowRuns, events: Iterable<FlowRunEvent>): FlowRuns =>
  fold<FlowRunEvent, FlowRuns>({ initial: noRuns, evolve: evolveRuns }, state, events)
