import type { EventOf } from '@prosa/contracts/events/all-events'
import type { defaultFlowEvents } from '@prosa/contracts/events/automation'
import type { Decider } from '@prosa/kernel/domain/decider'

export type DefaultFlowEvent = EventOf<typeof defaultFlowEvents>

export interface DefaultFlowCommand {
  type: 'ChooseDefaultFlow'
  data: { flowId: string | null }
}

export type DefaultFlowRefusal = 'flow_not_found'

/** Null for none; a deleted flow greets nobody. */
export interface DefaultFlow {
  flowId: string | null
}

export const defaultFlow: Decider<DefaultFlowCommand, DefaultFlowEvent, DefaultFlow, DefaultFlowRefusal> = {
  initial: { flowId: null },
  decide: {
    ChooseDefaultFlow: ({ flowId }, data) =>
      flowId === data.flowId ? [] : [{ type: 'DefaultFlowChosen', data: { flowId: data.flowId } }],
  },
  evolve: { DefaultFlowChosen: (_, { flowId }) => ({ flowId }) },
}
