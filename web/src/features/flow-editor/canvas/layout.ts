import { Graph, layout } from '@dagrejs/dagre'
import { type FlowDocument, type FlowNode, outputsOf } from '@prosa/contracts/flows/flow-document'
import { type Coordinates, hasManyOutputs, onGrid } from '../state/node-graph.ts'

/** Approximate, in px. */
const size = { width: 240, height: 105 }
const distance = { ranksep: 75, nodesep: 60 }

const outputHeight = 26

const sizeOf = (node: FlowNode) =>
  hasManyOutputs(node) ? { ...size, height: size.height + outputHeight * outputsOf(node).length } : { ...size }

/** Top to bottom along the links, the first output left of the second. */
export const laidOut = ({ nodes, links }: FlowDocument): Map<string, Coordinates> => {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', ...distance })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) graph.setNode(node.id, sizeOf(node))
  for (const node of nodes)
    for (const output of outputsOf(node)) {
      const link = links.find((one) => one.source === node.id && one.sourceHandle === output)
      if (link && link.source !== link.target && graph.hasNode(link.target)) graph.setEdge(link.source, link.target)
    }
  layout(graph)
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0, height = size.height } = graph.node(id) as Partial<Coordinates & { height: number }>
      return [id, onGrid({ x: x - size.width / 2, y: y - height / 2 })]
    }),
  )
}
