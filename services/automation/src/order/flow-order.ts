import { isDeepStrictEqual } from 'node:util'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowOrderEvents } from '@prosa/contracts/events/automation'
import type { Decider } from '@prosa/kernel/domain/decider'

export type FlowOrderEvent = EventOf<typeof flowOrderEvents>

export interface FlowOrderCommand {
  type: 'SetFlowOrder'
  data: { flowIds: readonly string[] }
}

/** Deleted flows may be among them. */
export interface FlowOrder {
  flowIds: readonly string[]
}

export const flowOrder: Decider<FlowOrderCommand, FlowOrderEvent, FlowOrder, 'flow_not_found'> = {
  initial: { flowIds: [] },
  decide: {
    SetFlowOrder: (state, { flowIds }) => {
      const wanted = [...new Set(flowIds)]
      return isDeepStrictEqual(state.flowIds, wanted) ? [] : [{ type: 'FlowOrderSet', data: { flowIds: wanted } }]
    },
  },
  evolve: { FlowOrderSet: (_, { flowIds }) => ({ flowIds }) },
}

/** The named ones first, in their order; the others stay as they come: by first publication. */
export const inOrder = <F extends { flowId: string }>(
  flows: readonly F[],
  flowIds: readonly string[],
): readonly F[] => {
  if (flowIds.length === 0) return flows
  const indexes = new Map(flowIds.map((id, index) => [id, index]))
  const indexOf = ({ flowId }: F) => indexes.get(flowId) ?? flowIds.length
  return flows.toSorted((one, other) => indexOf(one) - indexOf(other))
}
