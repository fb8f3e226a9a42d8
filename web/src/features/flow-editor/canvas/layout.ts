import { Graph, layout } from '@dagrejs/dagre'
import { type FlowDocument, type FlowNode, outputsOf } from '@prosa/contracts/flows/flow-document'
import { type Coordinates, heightOf, nodeWidth, onGrid } from '../state/node-graph.ts'

/** The name of an output at the right of a step needs room. */
const distance = { ranksep: 75, nodesep: 105 }

const sizeOf = (node: FlowNode) => ({ width: nodeWidth, height: heightOf(node) })

/** Top to bottom along the links, the first output left of the second. */
export const laidOut = ({ nodes, links }: FlowDocument): Map<string, Coordinates> => {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', ...distance })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) graph.setNode(node.id, sizeOf(node))
  const constraints: { left: string; right: string }[] = []
  for (const node of nodes) {
    const targets = outputsOf(node).flatMap((output) => {
      const link = links.find((one) => one.source === node.id && one.sourceHandle === output)
      return link && link.source !== link.target && graph.hasNode(link.target) ? link.target : []
    })
    for (const target of targets) graph.setEdge(node.id, target)
    for (const [at, left] of targets.entries()) {
      const right = targets[at + 1]
      if (right !== undefined && right !== left) constraints.push({ left, right })
    }
  }
  layout(graph, { constraints })
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0, height = 0 } = graph.node(id) as Partial<Coordinates & { height: number }>
      return [id, onGrid({ x: x - nodeWidth / 2, y: y - height / 2 })]
    }),
  )
}
