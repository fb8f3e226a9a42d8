import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { FlowGround } from './flow-ground.ts'
import { knownLabels } from './known-labels.ts'

const labelOf = ({ type, data }: FlowNode): string | null => {
  if (type === 'label') return data.labelId
  if (type === 'trigger' && data.start.kind === 'label_set') return data.start.labelId
  return type === 'condition' && data.test.kind === 'label' ? data.test.labelId : null
}

const problem = (kind: FlowProblem['kind'], nodeId: string, sentence: string): FlowProblem => ({
  kind,
  severity: 'error',
  nodeId,
  sentence,
})

/**
 * Labels and flows that a flow names and that the account does not have: they were deleted since, or the flow was imported from
 * another account.
 */
export const missingReferences = async (
  { flows, labels }: Pick<FlowGround, 'flows' | 'labels'>,
  owner: string,
  { nodes }: FlowDocument,
  slice: TimeSlice,
): Promise<FlowProblem[]> => {
  const known = nodes.some((node) => labelOf(node) !== null) ? await labels.load(owner, owner) : knownLabels.initial
  const problems: FlowProblem[] = []
  const gone = new Map<string, boolean>()
  const isGone = async (flowId: string): Promise<boolean> => {
    const found = gone.get(flowId) ?? (await flows.load(flowId, owner)).status !== 'standing'
    gone.set(flowId, found)
    return found
  }
  for (const node of nodes) {
    if (slice.isDue()) await slice.turn()
    const labelId = labelOf(node)
    if (labelId !== null && !known.has(labelId))
      problems.push(problem('no_label', node.id, 'Esta etiqueta não existe mais: escolha outra.'))
    const flowId = node.type === 'flow' ? node.data.flowId : null
    if (flowId !== null && (await isGone(flowId)))
      problems.push(problem('no_flow', node.id, 'O fluxo seguinte não existe mais: escolha outro.'))
  }
  return problems
}
