import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { Decider } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'

export interface RunsOfFlows {
  /** Ids of the runs that are under way. */
  running: ReadonlySet<string>
  /** Ids of the contact's messages that started a run, or that a run took for an answer: the last ones. */
  messages: readonly string[]
}

/** Only of what was written within some minutes anybody asks. */
const mostMessages = 500

const begun = (state: RunsOfFlows, runId: string): RunsOfFlows => ({
  ...state,
  running: new Set(state.running).add(runId),
})

const over = ({ running, messages }: RunsOfFlows, runId: string): RunsOfFlows => ({
  running: new Set([...running].filter((each) => each !== runId)),
  messages,
})

const taken = (state: RunsOfFlows, messageId: string): RunsOfFlows => ({
  ...state,
  messages: withLast(state.messages, messageId, mostMessages),
})

const same = (state: RunsOfFlows) => state

/**
 * What the contacts service needs to know of the runs that the automation service keeps: does a flow talk with this contact, and
 * which messages did it answer? Only read.
 */
export const runsOfFlows: Decider<never, EventOf<typeof flowRunEvents>, RunsOfFlows, 'contact_not_found'> = {
  initial: { running: new Set(), messages: [] },
  decide: {},
  evolve: {
    FlowRunStarted: (state, { runId, startMessageId }) =>
      startMessageId === null ? begun(state, runId) : taken(begun(state, runId), startMessageId),
    FlowRunTakenOver: (state, { runId }) => begun(state, runId),
    FlowRunMovedAway: (state, { runId }) => over(state, runId),
    FlowRunEnded: (state, { runId }) => over(state, runId),
    FlowAnswerReceived: (state, { messageId }) => taken(state, messageId),
    FlowInputKept: (state, { messageId }) => taken(state, messageId),
    FlowStepTaken: same,
    FlowMessageRequested: same,
    FlowLabelRequested: same,
    FlowDelayStarted: same,
    FlowAnswerAwaited: same,
    FlowsPaused: same,
    FlowsResumed: same,
    FlowCountsTakenOver: same,
    FlowLinkOpened: same,
  },
}
