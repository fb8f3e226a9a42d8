import { stepOfEvent } from '@prosa/contracts/flows/step-of-event'
import type { FlowRunDetail, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { streamName } from '@prosa/contracts/streams'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { FlowRunRow } from './table.ts'

/** Limits very long runs. */
const maxEvents = 5000

const stepAt = (events: readonly Stored[], index: number): FlowStepTaken | undefined => {
  const event = events[index]
  if (!event) return undefined
  const { type, data } = event
  switch (type) {
    case 'FlowRunStarted': {
      // A run begins by passing its trigger.
      const first = events[index + 1]
      return { kind: 'started', nodeId: first?.type === 'FlowStepTaken' ? first.data.nodeId : '' }
    }
    case 'FlowStepTaken':
      return { kind: 'passed', nodeId: data.nodeId, type: data.type, output: data.output, skipped: data.skipped }
    case 'FlowRunEnded': {
      // The next run starts with the next event.
      const next = data.reason === 'went_on' ? events[index + 1] : undefined
      const flowId = next?.type === 'FlowRunStarted' && next.data.startedBy === 'flow' ? next.data.flowId : null
      return { kind: 'ended', reason: data.reason, flowId }
    }
    default:
      return stepOfEvent(event)
  }
}

/** From all its streams, each from its first revision. */
export const readSteps = async (
  { store, codec }: Pick<Ports, 'store' | 'codec'>,
  tenant: string,
  runId: string,
  parts: FlowRunRow['parts'],
): Promise<FlowRunDetail['steps']> => {
  const steps: FlowRunDetail['steps'] = []
  for (const { contactId, revision } of parts) {
    const recorded: RecordedEvent[] = []
    for await (const page of store.read(streamName('flowRun', contactId), { from: BigInt(revision), max: maxEvents }))
      recorded.push(...page.filter(({ metadata }) => metadata.tenant === tenant))
    const events = (await decodeEach(codec, recorded)).flatMap(({ outcome }) =>
      'event' in outcome ? outcome.event : [],
    )
    for (const [index, event] of events.entries()) {
      if (!('runId' in event.data) || event.data.runId !== runId) continue
      const step = stepAt(events, index)
      const { causationId, recordedAt } = event.metadata
      if (step) steps.push({ at: recordedAt, eventId: event.id, causationId, step })
      if (event.type === 'FlowRunEnded' || event.type === 'FlowRunMovedAway') break
    }
  }
  return steps
}
