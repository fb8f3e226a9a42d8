import type { FlowLink } from '@prosa/contracts/flows/flow-document'
import type { FlowStatistics } from '@prosa/contracts/http/flow-runs'

type Edge = Pick<FlowLink, 'source' | 'sourceHandle'>

/**
 * `outputCountsOf(statistics)(link)` counts the runs along an edge; null until a run reaches its source, 0 if they left elsewhere. Keyed by
 * node and output: an edge keeps its count when its target changes.
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
