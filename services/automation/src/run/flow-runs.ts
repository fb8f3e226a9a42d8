import { contactSubject } from '@prosa/contracts/events/subjects'
import type { Instant } from '@prosa/contracts/values/instant'
import { recordedText } from '@prosa/contracts/values/text/readable-text'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Decider } from '@prosa/kernel/domain/decider'
import {
  type Candidate,
  type Choice,
  flowSetOffBy,
  flowSetOffByLabel,
  mayStartAgain,
  type StartFacts,
  type StartingMessage,
} from './choose-flow.ts'
import type { FlowFacts, FlowLibrary } from './flow-facts.ts'
import {
  type EndReason,
  evolveRuns,
  type Finished,
  type FlowRunEvent,
  type FlowRuns,
  isBotPaused,
  maxKeptInputs,
  noRuns,
  type Run,
} from './flow-run-state.ts'
import { answer, begin, keepInput, passTime, receiveAfterFinish, receiveReply } from './interpret.ts'
import { countNow } from './recent-flows.ts'
import type { RequestReply } from './requests/request-step.ts'
import { ofRun, openScene, type Pace, pause, type Scene, withhold } from './scene.ts'
import { type TakenOver, takeOver } from './take-over.ts'

interface Known {
  facts: FlowFacts
  library: FlowLibrary
  /** Only for simulated runs: see `Pace`. */
  pace?: Pace
}

export type FlowRunCommand =
  /** `start`: null where nothing may start. `reply`: the reply out of hours, asked for where no flow takes the message. */
  | {
      type: 'ReceiveInput'
      data: Known & {
        contactId: string
        messageId: string
        text: string
        /** Name or kind of a file that came with it. */
        file?: string | undefined
        start: Omit<StartingMessage, 'text' | 'now'> | null
        reply?: { connectionId: string; sentAt: Instant } | null
      }
    }
  /** `occasion`: event that added the label. */
  | {
      type: 'ReceiveLabel'
      data: Known & { contactId: string; labelId: string; occasion: string; start: Omit<StartFacts, 'now'> }
    }
  /** Regardless of its trigger, for replays of following runs. */
  | {
      type: 'BeginFlow'
      data: Known & { runId: string; flowId: string; version: number; connectionId: string; text: string }
    }
  /** An attendant or the tenant's program asks, regardless of the trigger; `occasion`: the request. */
  | {
      type: 'StartFlow'
      data: Known & {
        contactId: string
        flow: Candidate
        connectionId: string
        occasion: string
        startedBy: 'program' | 'attendant'
      }
    }
  | { type: 'ReachTime'; data: Known & { runId: string } }
  /** To the request of this step. */
  | { type: 'ReceiveReply'; data: Known & { runId: string; step: number; reply: RequestReply } }
  /** Ends runs that match all given fields. */
  | {
      type: 'EndRuns'
      data: { at: Instant; reason: EndReason; runId?: string; flowId?: string; connectionId?: string }
    }
  /** An attendant's wish for one contact; runs end. */
  | { type: 'PauseBot'; data: { at: Instant; until: Instant | null; attendantId: string } }
  | { type: 'ResumeBot'; data: { at: Instant; attendantId: string } }
  /** The contact was merged into another. */
  | { type: 'MoveRunsAway'; data: { to: string } }
  /** Counterpart of `MoveRunsAway`. */
  | { type: 'TakeRunsOver'; data: TakenOver }
  /** Finishing the conversation also ends the wait for a person. */
  | { type: 'ResumeFlows'; data: { at: Instant; isFinished: boolean } }

export type ReceiveInput = Extract<FlowRunCommand, { type: 'ReceiveInput' }>['data']

type StartRefusal =
  | 'contact_not_found'
  | 'contact_may_be_robot'
  | 'bot_paused'
  | 'contact_waits_for_person'
  | 'flow_not_on_line'
  | 'flow_running'
  | 'flow_ran_recently'
  | 'too_many_flow_starts'

export type FlowRunRefusal = 'flow_document_missing' | 'flow_run_not_found' | StartRefusal

/** Messages during shorter delays start nothing else. */
const maxShortDelayMs = 60_000

const decided = ({ events, lacksDocument }: Scene): readonly FlowRunEvent[] | { rejected: FlowRunRefusal } =>
  lacksDocument ? { rejected: 'flow_document_missing' } : events

const beginChosen = (
  scene: Scene,
  { flow, startedBy }: Choice,
  started: { contactId: string; occasion: string; connectionId: string; messageId: string | null; text: string },
): void => {
  const { flowId, version } = flow
  const { contactId, occasion, connectionId, messageId, text } = started
  if (scene.state.handedOver) {
    withhold(scene, { flowId, occasion })
    return
  }
  if (countNow(scene.state.recent, scene.facts.now).starts >= scene.facts.limits.starts) {
    pause(scene, 'starts', { occasion })
    return
  }
  const runId = deriveId('flow run', contactId, flowId, occasion)
  begin(scene, { runId, flowId, version, connectionId, startedBy, startMessageId: messageId, text })
}

const undone = ({ runId, flowId, version }: Finished): FlowRunEvent => ({
  type: 'FlowFinishUndone',
  data: { runId, flowId, version, messageId: null },
})

export const askingIn = ({ runs }: FlowRuns): Run | undefined =>
  runs.findLast(({ standing }) => standing?.waitsFor === 'answer')

const isDelayed = ({ standing }: Run) => standing?.waitsFor === 'time' || standing?.waitsFor === 'reply'

const isDelayedShortly =
  (now: Instant) =>
  ({ standing }: Run) =>
    standing?.waitsFor === 'reply' ||
    (standing?.waitsFor === 'time' && Date.parse(standing.until) - Date.parse(now) <= maxShortDelayMs)

/** As for a message, except for the trigger, and that an attendant may start it again; who asks learns what keeps it from starting. */
const startRefusal = (
  state: FlowRuns,
  { flow, connectionId, startedBy, facts }: Extract<FlowRunCommand, { type: 'StartFlow' }>['data'],
): StartRefusal | undefined => {
  const { settings } = flow.document
  const isOtherLine = settings.connectionIds.length > 0 && !settings.connectionIds.includes(connectionId)
  const isInFlow = state.runs.some(({ flowId }) => flowId === flow.flowId)
  if (state.isErased) return 'contact_not_found'
  if (state.paused) return 'contact_may_be_robot'
  if (isBotPaused(state, facts.now)) return 'bot_paused'
  if (state.handedOver) return 'contact_waits_for_person'
  if (isOtherLine) return 'flow_not_on_line'
  if (isInFlow || askingIn(state) || state.runs.some(isDelayedShortly(facts.now))) return 'flow_running'
  if (startedBy === 'program' && !mayStartAgain(settings, state.endedAt[flow.flowId], facts.now))
    return 'flow_ran_recently'
  return countNow(state.recent, facts.now).starts >= facts.limits.starts ? 'too_many_flow_starts' : undefined
}

/** By what a flow speaks or will: the reply out of hours then does not (docs/decisions/0095-one-answer-a-message.md). */
const takesMessage = ({ type }: FlowRunEvent): boolean =>
  type === 'FlowRunStarted' || type === 'FlowAnswerReceived' || type === 'FlowInputKept' || type === 'FlowThanked'

const receiveInput = (
  state: FlowRuns,
  { contactId, messageId, text: written, file, start, facts, library, pace }: ReceiveInput,
): readonly FlowRunEvent[] | { rejected: FlowRunRefusal } => {
  const text = recordedText(written)
  const input = { messageId, text, ...(file !== undefined && { file }) }
  const scene = openScene(state, facts, library, pace)
  if (isBotPaused(state, facts.now) || (start && isBotPaused(state, start.writtenAt))) {
    const { finished } = state
    if (finished && facts.now < finished.until) receiveAfterFinish(scene, finished, input, false)
    return decided(scene)
  }
  const asking = askingIn(state)
  if (asking) {
    answer(scene, asking, input)
    return decided(scene)
  }
  const pausing = state.runs.findLast(isDelayedShortly(facts.now))
  const setOff = start && !pausing ? flowSetOffBy({ ...start, text, now: facts.now }, state) : undefined
  const finished = state.finished && facts.now < state.finished.until ? state.finished : null
  // Only who writes a keyword has chosen a flow.
  const chosen = finished && setOff?.startedBy !== 'keyword' ? undefined : setOff
  if (finished && !chosen && !pausing) {
    receiveAfterFinish(scene, finished, input, start !== null)
    return decided(scene)
  }
  if (chosen && start) {
    const { connectionId } = start
    beginChosen(scene, chosen, { contactId, occasion: messageId, connectionId, messageId, text })
    return decided(scene)
  }
  const delayed = pausing ?? state.runs.findLast(isDelayed)
  if (delayed && delayed.kept.length < maxKeptInputs) keepInput(scene, delayed, input)
  return decided(scene)
}

/**
 * Input answers the latest run that asks; during a short delay it is kept for that run's next question; else it may start a flow or is kept
 * for a longer delay. Runs keep their version. Beyond the limits all end until a person resumes flows (docs/decisions/0047-robots.md);
 * after a transfer, until a person finishes the conversation (0056); while an attendant pauses the bot, nothing runs or starts.
 */
export const flowRuns: Decider<FlowRunCommand, FlowRunEvent, FlowRuns, FlowRunRefusal> = {
  initial: noRuns,
  saving: { decider: 'flow runs', version: 7, subject: ({ id }) => contactSubject(id) },

  decide: {
    ReceiveInput: (state, data) => {
      const { messageId, reply } = data
      if (state.isErased || state.messageIds.includes(messageId)) return []
      const events = state.paused ? [] : receiveInput(state, data)
      if (!reply || 'rejected' in events || state.runs.length > 0 || events.some(takesMessage)) return events
      return [...events, { type: 'OutOfHoursReplyRequested', data: { messageId, ...reply } }]
    },

    ReceiveLabel: (state, { contactId, labelId, occasion, start, facts, library, pace }) => {
      const chosen = flowSetOffByLabel(labelId, { ...start, now: facts.now }, state)
      const isPaused = isBotPaused(state, facts.now) || isBotPaused(state, start.writtenAt)
      if (state.isErased || state.paused || isPaused || !chosen) return []
      const runId = deriveId('flow run', contactId, chosen.flow.flowId, occasion)
      if (state.messageIds.includes(runId) || state.messageIds.includes(occasion)) return []
      const scene = openScene(state, facts, library, pace)
      const { connectionId } = start
      beginChosen(scene, chosen, { contactId, occasion, connectionId, messageId: null, text: '' })
      return decided(scene)
    },

    BeginFlow: (state, { facts, library, pace, ...started }) => {
      if (state.isErased) return []
      const scene = openScene(state, facts, library, pace)
      begin(scene, { ...started, startedBy: 'flow', startMessageId: null })
      return decided(scene)
    },

    StartFlow: (state, data) => {
      const { contactId, flow, connectionId, occasion, startedBy, facts, library, pace } = data
      const { flowId, version } = flow
      const runId = deriveId('flow run', contactId, flowId, occasion)
      if (state.messageIds.includes(runId)) return []
      const refusal = startRefusal(state, data)
      if (refusal) return { rejected: refusal }
      const scene = openScene(state, facts, library, pace)
      begin(scene, { runId, flowId, version, connectionId, startedBy, startMessageId: null, text: '' })
      return decided(scene)
    },

    ReachTime: (state, { runId, facts, library, pace }) => {
      const run = state.runs.find((each) => each.runId === runId)
      if (!run?.standing || run.standing.until > facts.now) return []
      const scene = openScene(state, facts, library, pace)
      passTime(scene, run)
      return decided(scene)
    },

    ReceiveReply: (state, { runId, step, reply, facts, library, pace }) => {
      const run = state.runs.find((each) => each.runId === runId)
      if (run?.standing?.waitsFor !== 'reply' || run.step !== step) return []
      const scene = openScene(state, facts, library, pace)
      receiveReply(scene, run, reply)
      return decided(scene)
    },

    EndRuns: ({ runs, finished }, { at, reason, runId, flowId, connectionId }) => [
      ...runs
        .filter(
          (run) =>
            (runId === undefined || run.runId === runId) &&
            (flowId === undefined || run.flowId === flowId) &&
            (connectionId === undefined || run.connectionId === connectionId),
        )
        .map((run): FlowRunEvent => ({ type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: at, reason } })),
      ...(finished && reason === 'accepted' ? [undone(finished)] : []),
    ],

    PauseBot: (state, { at, until, attendantId }) => {
      if (state.isErased) return { rejected: 'contact_not_found' }
      if (isBotPaused(state, at) && state.botPause?.until === until) return []
      return [
        { type: 'BotPaused', data: { pausedAt: at, until, attendantId } },
        ...state.runs.map(
          (run): FlowRunEvent => ({ type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: at, reason: 'stopped' } }),
        ),
      ]
    },

    ResumeBot: (state, { at, attendantId }) => {
      if (state.isErased) return { rejected: 'contact_not_found' }
      return isBotPaused(state, at) ? [{ type: 'BotResumed', data: { resumedAt: at, attendantId } }] : []
    },

    MoveRunsAway: ({ runs }, { to }) => runs.map((run) => ({ type: 'FlowRunMovedAway', data: { ...ofRun(run), to } })),

    TakeRunsOver: takeOver,

    ResumeFlows: ({ paused, handedOver, isErased }, { at, isFinished }) => {
      const endsWait = isFinished && handedOver !== null
      if (isErased || (!paused && !endsWait)) return []
      return [{ type: 'FlowsResumed', data: { resumedAt: at, ...(endsWait && { isFinished }) } }]
    },
  },

  evolve: evolveRuns,
}
