import type { FlowNode } from '@prosa/contracts/flows/flow-document'

interface Props {
  flowId: string
  node: FlowNode
}

/** What happened at a node so far, in its panel. */
export const NodeStatistics = (_: Props) => null
