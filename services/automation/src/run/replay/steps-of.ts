import { stepOfEvent } from '@prosa/contracts/flows/step-of-event'
import type { FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import type { FlowRunEvent } from '../flow-run-state.ts'

/** Undefined for events that are no step for the user. */
const stepOf = (event: FlowRunEvent, next: FlowRunEvent | undefined): FlowStepTaken | undefined => {
  const { type, data } = event
  switch (type) {
    case 'FlowStepTaken': {
      const { nodeId, type: nodeType, output, skipped } = data
      if (nodeType === 'trigger') return { kind: 'started', nodeId }
      return { kind: 'passed', nodeId, type: nodeType, output, ...(skipped && { skipped }) }
    }
    case 'FlowRunEnded': {
      const flowId = data.reason === 'went_on' && next?.type === 'FlowRunStarted' ? next.data.flowId : null
      return { kind: 'ended', reason: data.reason, flowId }
    }
    default:
      return stepOfEvent(event)
  }
}

export const stepsOf = (events: readonly FlowRunEvent[]): FlowStepTaken[] =>
  events.flatMap((event, index) => stepOf(event, events[index + 1]) ?? [])
