import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { Decider } from '@prosa/kernel/domain/decider'
import { emptySet, type GrowingSet } from '@prosa/kernel/domain/growing-set'

type FlowRunEvent = EventOf<typeof flowRunEvents>

export interface OpenLink {
  type: 'OpenLink'
  data: Extract<FlowRunEvent, { type: 'FlowLinkOpened' }>['data']
}

export interface OpenedLinks {
  tokens: GrowingSet
  /** The contact was erased: nothing is written here any more. */
  isErased: boolean
}

const same = (state: OpenedLinks) => state

/** Of one contact that are counted, at most: nobody reads so much. */
const maxOpened = 10_000

/** Which links of a contact were opened: each counts once, however often it is opened. */
export const openedLinks: Decider<OpenLink, FlowRunEvent, OpenedLinks, 'flow_run_not_found'> = {
  initial: { tokens: emptySet, isErased: false },
  decide: {
    OpenLink: ({ tokens, isErased }, data) =>
      isErased || tokens.has(data.token) || tokens.size >= maxOpened ? [] : [{ type: 'FlowLinkOpened', data }],
  },
  evolve: {
    FlowLinkOpened: (state, { token }) => ({ ...state, tokens: state.tokens.add(token) }),
    FlowRunEnded: (state, { reason }) => ({ ...state, isErased: state.isErased || reason === 'contact_erased' }),
    FlowRunStarted: same,
    FlowStepTaken: same,
    FlowMessageRequested: same,
    FlowLabelRequested: same,
    FlowDelayStarted: same,
    FlowAnswerAwaited: same,
    FlowAnswerReceived: same,
    FlowInputKept: same,
    FlowRunMovedAway: same,
    FlowRunTakenOver: same,
    FlowsPaused: same,
    FlowStartWithheld: same,
    FlowsResumed: same,
    FlowCountsTakenOver: same,
  },
}
