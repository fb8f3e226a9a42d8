import type { FlowLink } from '@prosa/contracts/flows/flow-document'
import type { FlowStatistics } from '@prosa/contracts/http/flow-runs'

type Edge = Pick<FlowLink, 'source' | 'sourceHandle'>

/**
 * How often runs went along an edge: `const countOf = outputCountsOf(statistics)`, then `countOf(link)` for its label; null where
 * no run has come to the node yet, 0 where runs came but left it elsewhere. `statistics` are those of `flowStatisticsQuery`. An
 * edge is known by the node and the output that it leaves, so one that was drawn to another node keeps its count.
 */
export const outputCountsOf = (
  statistics: Pick<FlowStatistics, 'nodes'> | undefined,
): ((edge: Edge) => number | null) => {
  const byNode = new Map(statistics?.nodes.map((node) => [node.nodeId, node]))
  return ({ source, sourceHandle }) => {
    const node = byNode.get(source)
    return node && node.entered > 0 ? (node.outputs[sourceHandle ?? 'next'] ?? 0) : null
  }
}
