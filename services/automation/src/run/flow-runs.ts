import { contactSubject } from '@prosa/contracts/events/subjects'
import type { Instant } from '@prosa/contracts/values/instant'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Decider } from '@prosa/kernel/domain/decider'
import { type Choice, flowSetOffBy, flowSetOffByLabel, type StartFacts, type StartingMessage } from './choose-flow.ts'
import type { FlowFacts, FlowLibrary } from './flow-facts.ts'
import {
  type EndReason,
  evolveRuns,
  type FlowRunEvent,
  type FlowRuns,
  maxKept,
  noRuns,
  type Run,
} from './flow-run-state.ts'
import { answer, begin, keep, passTime } from './interpret.ts'
import { recordedText } from './readable-text.ts'
import { countNow } from './recent-flows.ts'
import { ofRun, openScene, type Pace, pause, type Scene, withhold } from './scene.ts'
import { type TakenOver, takeOver } from './take-over.ts'

interface Known {
  facts: FlowFacts
  library: FlowLibrary
  /** Only of what is played: see `Pace`. */
  pace?: Pace
}

export type FlowRunCommand =
  /** The contact wrote. `start` is null where nothing may start by it. */
  | {
      type: 'ReceiveInput'
      data: Known & {
        contactId: string
        messageId: string
        text: string
        start: Omit<StartingMessage, 'text' | 'now'> | null
      }
    }
  /** `occasion` names the event by which the label was put on. */
  | {
      type: 'ReceiveLabel'
      data: Known & { contactId: string; labelId: string; occasion: string; start: Omit<StartFacts, 'now'> }
    }
  /** A flow begins whatever starts it: what a replay of a run does that another one went on into. */
  | {
      type: 'BeginFlow'
      data: Known & { runId: string; flowId: string; version: number; connectionId: string; text: string }
    }
  /** The moment until which a run waits has come. */
  | { type: 'ReachTime'; data: Known & { runId: string } }
  /** Ends what fits everything that is named. */
  | {
      type: 'EndRuns'
      data: { at: Instant; reason: EndReason; runId?: string; flowId?: string; connectionId?: string }
    }
  /** The contact goes on as another one. */
  | { type: 'MoveRunsAway'; data: { to: string } }
  /** The other side of it. */
  | { type: 'TakeRunsOver'; data: TakenOver }
  /** A person let flows go on; by finishing the conversation, with which the wait for a person ends too. */
  | { type: 'ResumeFlows'; data: { at: Instant; isFinished: boolean } }

export type FlowRunRefusal = 'flow_document_missing' | 'flow_run_not_found'

/** A rest of up to so many seconds is part of an answer: what is written meanwhile starts nothing else. */
const shortRestMs = 60_000

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

/** The run whose question the next message answers. */
export const askingIn = ({ runs }: FlowRuns): Run | undefined =>
  runs.findLast(({ standing }) => standing?.waitsFor === 'answer')

const isResting = ({ standing }: Run) => standing?.waitsFor === 'time'

const restsShortly =
  (now: Instant) =>
  ({ standing }: Run) =>
    standing?.waitsFor === 'time' && Date.parse(standing.until) - Date.parse(now) <= shortRestMs

/**
 * The runs of flows with one contact. What the contact writes is the answer to the question of the run that began last among those
 * that ask; while the run only pauses for a moment, it is kept for its next question; else it may start a flow, or is kept for a run
 * that rests for longer. A run follows the version that it began with. Beyond the limits of starts and messages everything ends and nothing starts
 * until a person lets flows go on (docs/decisions/0047-robots.md); once a flow has handed the contact over, until a person finished the
 * conversation (0056).
 */
export const flowRuns: Decider<FlowRunCommand, FlowRunEvent, FlowRuns, FlowRunRefusal> = {
  initial: noRuns,
  saving: { decider: 'flow runs', version: 3, subject: ({ id }) => contactSubject(id) },

  decide: {
    ReceiveInput: (state, { contactId, messageId, text: written, start, facts, library, pace }) => {
      if (state.isErased || state.paused || state.messageIds.includes(messageId)) return []
      const text = recordedText(written)
      const scene = openScene(state, facts, library, pace)
      const asking = askingIn(state)
      if (asking) {
        answer(scene, asking, { messageId, text })
        return decided(scene)
      }
      const pausing = state.runs.findLast(restsShortly(facts.now))
      const chosen = start && !pausing && flowSetOffBy({ ...start, text, now: facts.now }, state)
      if (chosen) {
        const { connectionId } = start
        beginChosen(scene, chosen, { contactId, occasion: messageId, connectionId, messageId, text })
        return decided(scene)
      }
      const resting = pausing ?? state.runs.findLast(isResting)
      if (resting && resting.kept.length < maxKept) keep(scene, resting, { messageId, text })
      return decided(scene)
    },

    ReceiveLabel: (state, { contactId, labelId, occasion, start, facts, library, pace }) => {
      const chosen = flowSetOffByLabel(labelId, { ...start, now: facts.now }, state)
      if (state.isErased || state.paused || !chosen) return []
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

    ReachTime: (state, { runId, facts, library, pace }) => {
      const run = state.runs.find((each) => each.runId === runId)
      if (!run?.standing || run.standing.until > facts.now) return []
      const scene = openScene(state, facts, library, pace)
      passTime(scene, run)
      return decided(scene)
    },

    EndRuns: ({ runs, endedAt: _ }, { at, reason, runId, flowId, connectionId }) =>
      runs
        .filter(
          (run) =>
            (runId === undefined || run.runId === runId) &&
            (flowId === undefined || run.flowId === flowId) &&
            (connectionId === undefined || run.connectionId === connectionId),
        )
        .map((run) => ({ type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: at, reason } })),

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
