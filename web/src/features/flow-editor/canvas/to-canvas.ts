import {
  type FlowDocument,
  type FlowLink,
  type FlowNode,
  type FlowOutput,
  outputsOf,
} from '@prosa/contracts/flows/flow-document'
import { nodeName, nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { type Edge, MarkerType, type Node } from 'reactflow'
import { count } from '../../../lib/format/format.ts'
import { isOff, type Named, nodeTexts, outputName } from '../node-words.ts'
import { hasManyOutputs } from '../state/node-graph.ts'
import type { ProblemsByNode } from '../state/use-problems.ts'
import type { Side } from './route.ts'
import type { EdgeData } from './routed-edge.tsx'

export interface OutputSide {
  output: FlowOutput
  side: Side
  /** Among those on this side: lines of higher outputs run outside. */
  lane: number
}

/** Where outputs leave a step: the first of one or two below, the others on the side of their target; without one, at the right. */
const outputSides = (node: FlowNode, targetX: (output: FlowOutput) => number | undefined): OutputSide[] => {
  const outputs = outputsOf(node)
  const sideOf = (output: FlowOutput, at: number): Side => {
    if (at === 0 && !hasManyOutputs(node)) return 'bottom'
    return (targetX(output) ?? node.position.x) < node.position.x ? 'left' : 'right'
  }
  const sides = outputs.map((output, at) => ({ output, side: sideOf(output, at) }))
  return sides.map(({ output, side }, at) => ({
    output,
    side,
    lane: sides.slice(at + 1).filter((later) => later.side === side).length,
  }))
}

export interface CanvasNodeData {
  node: FlowNode
  text: string
  detail: string | undefined
  isOff: boolean
  /** The worst severity and the number of problems. */
  severity: 'error' | 'warning' | null
  sentences: string
  isCurrent: boolean
  isFound: boolean
  /** Outputs that leave at the left, separated by blanks. */
  leftOutputs: string
}

export type CanvasNode = Node<CanvasNodeData>

interface Drawn {
  document: FlowDocument
  sides: ReadonlyMap<string, readonly OutputSide[]>
  selected: readonly string[]
  problems: ProblemsByNode
  currentNodeId: string | null
  found: ReadonlySet<string>
  named: Named
}

const isSameData = (one: CanvasNodeData, other: CanvasNodeData) =>
  (Object.keys(one) as (keyof CanvasNodeData)[]).every((key) => one[key] === other[key])

const leftOf = (sides: readonly OutputSide[]) =>
  sides.flatMap(({ output, side }) => (side === 'left' && output !== null ? output : [])).join(' ')

export const sidesOf = ({ nodes, links }: FlowDocument): ReadonlyMap<string, readonly OutputSide[]> => {
  const xs = new Map(nodes.map(({ id, position }) => [id, position.x]))
  const targets = new Map(links.map((link) => [`${link.source} ${link.sourceHandle}`, xs.get(link.target)]))
  return new Map(nodes.map((node) => [node.id, outputSides(node, (output) => targets.get(`${node.id} ${output}`))]))
}

/** Unchanged nodes keep their identity, so that React does not render them again. */
export const canvasNodes = (drawn: Drawn, before: readonly CanvasNode[]): CanvasNode[] => {
  const known = new Map(before.map((node) => [node.id, node]))
  const selected = new Set(drawn.selected)
  return drawn.document.nodes.map((node) => {
    const problems = drawn.problems.get(node.id) ?? []
    const { text, detail } = nodeTexts(node, drawn.named)
    const data: CanvasNodeData = {
      node,
      text,
      detail,
      isOff: isOff(node),
      severity: problems[0]?.severity ?? null,
      sentences: problems.map(({ sentence }) => sentence).join(' '),
      isCurrent: drawn.currentNodeId === node.id,
      isFound: drawn.found.has(node.id),
      leftOutputs: leftOf(drawn.sides.get(node.id) ?? []),
    }
    const was = known.get(node.id)
    const isSelected = selected.has(node.id)
    if (was && was.selected === isSelected && isSameData(was.data, data)) return was
    return {
      id: node.id,
      type: 'step',
      position: node.position,
      data,
      selected: isSelected,
      // reactflow's measurement is still valid.
      width: was?.width ?? null,
      height: was?.height ?? null,
      ariaLabel: `${nodeTypeNames[node.type]}: ${text}`,
    }
  })
}

/** Runs that followed a link; null until one reached its source node. */
export type CountOf = (link: FlowLink) => number | null

/** 'Ligação de Pergunta “Quer?”, saída “Respondeu”, para Mensagem “Oi”' */
const linkSentence = ({ source, sourceHandle, target }: FlowLink, nodes: ReadonlyMap<string, FlowNode>): string => {
  const [from, to] = [nodes.get(source), nodes.get(target)]
  const nameOf = (node: FlowNode | undefined) => (node ? nodeName(node) : 'um passo excluído')
  const output = sourceHandle === null ? '' : `, saída “${outputName(sourceHandle, from)}”`
  return `Ligação de ${nameOf(from)}${output}, para ${nameOf(to)}`
}

export const canvasEdges = (
  { nodes, links }: FlowDocument,
  selected: readonly string[],
  countOf: CountOf,
  sides: ReadonlyMap<string, readonly OutputSide[]>,
  before: readonly Edge<EdgeData>[],
): Edge<EdgeData>[] => {
  const known = new Map(before.map((edge) => [edge.id, edge]))
  const chosen = new Set(selected)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return links.map((link: FlowLink) => {
    const was = known.get(link.id)
    const isSelected = chosen.has(link.id)
    const times = countOf(link)
    const label = times === null ? null : count(times)
    const ariaLabel = linkSentence(link, byId)
    const lane = sides.get(link.source)?.find(({ output }) => output === link.sourceHandle)?.lane ?? 0
    const isSame = was?.selected === isSelected && was.label === label && was.ariaLabel === ariaLabel
    if (was && isSame && was.data?.lane === lane) return was
    return {
      id: link.id,
      ariaLabel,
      label,
      source: link.source,
      target: link.target,
      sourceHandle: link.sourceHandle,
      type: 'routed',
      data: { lane },
      selected: isSelected,
      focusable: false,
      markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--border-strong)', width: 18, height: 18 },
    }
  })
}
