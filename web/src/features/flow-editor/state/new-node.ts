import type { FlowDocument, FlowNode, FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { outputsOf } from '@prosa/contracts/flows/flow-document'
import { newNode } from '@prosa/contracts/flows/new-node'
import type { FlowEdit } from './flow-edits.ts'
import { type Coordinates, coordinatesBelow, onGrid, targetOf, type Way } from './node-graph.ts'

/** Not `crypto.randomUUID`: it needs https or localhost. */
export const newId = (): string =>
  `p${Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')}`

const freeOutput = (document: FlowDocument, node: FlowNode): Pick<Way, 'source' | 'sourceHandle'> | undefined => {
  const output = outputsOf(node).find((one) => targetOf(document, node.id, one) === undefined)
  return output === undefined ? undefined : { source: node.id, sourceHandle: output }
}

/** Below the selected node and linked to it if it has a free output; or at given coordinates, behind `after`. */
export const addingNode = (
  type: FlowNodeType,
  document: FlowDocument,
  selected: readonly string[],
  { at, after }: { at?: Coordinates | undefined; after?: Pick<Way, 'source' | 'sourceHandle'> | undefined } = {},
): Extract<FlowEdit, { type: 'add' }> => {
  const above = selected.length === 1 ? document.nodes.find(({ id }) => id === selected[0]) : undefined
  const node = newNode(type, newId(), at ? onGrid(at) : coordinatesBelow(document, above))
  const isLinked = above !== undefined && at === undefined && type !== 'trigger'
  return { type: 'add', node, after: after ?? (isLinked ? freeOutput(document, above) : undefined) }
}

/** Between an output and its previous target. */
export const addingBehind = (
  type: FlowNodeType,
  document: FlowDocument,
  after: Pick<Way, 'source' | 'sourceHandle'>,
): Extract<FlowEdit, { type: 'add' }> => ({
  type: 'add',
  node: newNode(
    type,
    newId(),
    coordinatesBelow(
      document,
      document.nodes.find(({ id }) => id === after.source),
    ),
  ),
  after,
})
