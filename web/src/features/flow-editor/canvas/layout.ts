import { Graph, layout } from '@dagrejs/dagre'
import { type FlowDocument, type FlowNode, outputsOf } from '@prosa/contracts/flows/flow-document'
import { type Coordinates, heightOf, nodeWidth, onGrid } from '../state/node-graph.ts'

const distance = { ranksep: 75, nodesep: 60 }

const sizeOf = (node: FlowNode) => ({ width: nodeWidth, height: heightOf(node) })

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
      const { x = 0, y = 0, height = 0 } = graph.node(id) as Partial<Coordinates & { height: number }>
      return [id, onGrid({ x: x - nodeWidth / 2, y: y - height / 2 })]
    }),
  )
}
