import type { FlowNodeStatistics, FlowStatistics } from '@prosa/contracts/http/flow-runs'
import type { Recorded } from './random-runs.ts'

const order = ['MessageSent', 'MessageDelivered', 'MessageRead']
const comingToTheEnd = ['completed', 'handed_over', 'went_on']

/** Reference implementation, without times. */
export const recount = (log: readonly Recorded[], flowId: string): Omit<FlowStatistics, 'lastRunAt'> => {
  const erased = new Set(log.filter(({ event }) => event.type === 'ContactErased').map(({ contactId }) => contactId))
  const here = log.filter(({ contactId }) => !erased.has(contactId))
  const runs = new Map<string, { contactId: string; at: string | null; isInside: boolean; reason: string | null }>()
  const nodes = new Map<string, FlowNodeStatistics>()
  const nodeOf = (nodeId: string) => {
    const none: FlowNodeStatistics = {
      nodeId,
      entered: 0,
      sent: 0,
      delivered: 0,
      read: 0,
      clicked: 0,
      droppedOff: 0,
      outputs: {},
    }
    const node = nodes.get(nodeId) ?? none
    nodes.set(nodeId, node)
    return node
  }
  const clicked = new Set<string>()
  for (const { contactId, event } of here) {
    if (!('flowId' in event.data) || event.data.flowId !== flowId || !('runId' in event.data)) continue
    const { runId } = event.data
    if (event.type === 'FlowRunStarted') runs.set(runId, { contactId, at: null, isInside: false, reason: null })
    const run = runs.get(runId)
    if (!run) throw new Error('a run that never began')
    switch (event.type) {
      case 'FlowDelayStarted':
      case 'FlowAnswerAwaited':
        // A menu that asks again is not entered again.
        if (!(run.isInside && run.at === event.data.nodeId)) nodeOf(event.data.nodeId).entered += 1
        Object.assign(run, { at: event.data.nodeId, isInside: true })
        break
      case 'FlowStepTaken': {
        const { nodeId, output } = event.data
        const node = nodeOf(nodeId)
        const way = output ?? 'next'
        if (!(run.isInside && run.at === nodeId)) node.entered += 1
        node.outputs[way] = (node.outputs[way] ?? 0) + 1
        Object.assign(run, { at: nodeId, isInside: false })
        break
      }
      case 'FlowMessageRequested': {
        const { messageId, nodeId } = event.data
        const ticks = here.flatMap((each) =>
          'messageId' in each.event.data && each.event.data.messageId === messageId
            ? order.indexOf(each.event.type)
            : [],
        )
        const furthest = Math.max(-1, ...ticks)
        const node = nodeOf(nodeId)
        node.sent += furthest >= 0 ? 1 : 0
        node.delivered += furthest >= 1 ? 1 : 0
        node.read += furthest >= 2 ? 1 : 0
        break
      }
      case 'FlowLinkOpened': {
        const { nodeId } = event.data
        if (!clicked.has(`${runId} ${nodeId}`)) nodeOf(nodeId).clicked += 1
        clicked.add(`${runId} ${nodeId}`)
        break
      }
      case 'FlowRunEnded':
        run.reason = event.data.reason
        if (run.at !== null && !comingToTheEnd.includes(run.reason)) nodeOf(run.at).droppedOff += 1
        break
      default:
    }
  }
  const all = [...runs.values()]
  const people = (some: typeof all) => new Set(some.map(({ contactId }) => contactId)).size
  return {
    executions: all.length,
    running: all.filter(({ reason }) => reason === null).length,
    leads: people(all),
    converted: people(all.filter(({ reason }) => reason !== null && comingToTheEnd.includes(reason))),
    clickedExecutions: new Set([...clicked].map((opened) => opened.split(' ')[0])).size,
    nodes: [...nodes.values()].toSorted((one, other) => (one.nodeId < other.nodeId ? -1 : 1)),
  }
}
