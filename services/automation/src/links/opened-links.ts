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
  isErased: boolean
}

const same = (state: OpenedLinks) => state

/** Limit per contact. */
const maxOpened = 10_000

/** Each link counts once per contact. */
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
    FlowFieldRequested: same,
    FlowDelayStarted: same,
    FlowAnswerAwaited: same,
    FlowAnswerReceived: same,
    FlowRequestAsked: same,
    FlowRequestAnswered: same,
    FlowValueCalculated: same,
    FlowInputKept: same,
    FlowRunMovedAway: same,
    FlowRunTakenOver: same,
    FlowsPaused: same,
    FlowStartWithheld: same,
    FlowsResumed: same,
    BotPaused: same,
    BotResumed: same,
    FlowCountsTakenOver: same,
    FlowFinishRequested: same,
    FlowThanked: same,
    FlowFinishUndone: same,
    OutOfHoursReplyRequested: same,
  },
}
