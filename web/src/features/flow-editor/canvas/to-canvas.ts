import type { FlowDocument, FlowLink, FlowNode } from '@prosa/contracts/flows/flow-document'
import { nodeName, nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { type Edge, MarkerType, type Node } from 'reactflow'
import { count } from '../../../lib/format/format.ts'
import { isOff, type Named, nodeTexts, outputName } from '../node-words.ts'
import type { ProblemsByNode } from '../state/use-problems.ts'

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
}

export type CanvasNode = Node<CanvasNodeData>

interface Drawn {
  nodes: readonly FlowNode[]
  selected: readonly string[]
  problems: ProblemsByNode
  currentNodeId: string | null
  found: ReadonlySet<string>
  named: Named
}

const isSameData = (one: CanvasNodeData, other: CanvasNodeData) =>
  (Object.keys(one) as (keyof CanvasNodeData)[]).every((key) => one[key] === other[key])

/** Unchanged nodes keep their identity, so that React does not render them again. */
export const canvasNodes = (drawn: Drawn, before: readonly CanvasNode[]): CanvasNode[] => {
  const known = new Map(before.map((node) => [node.id, node]))
  const selected = new Set(drawn.selected)
  return drawn.nodes.map((node) => {
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
  before: readonly Edge[],
): Edge[] => {
  const known = new Map(before.map((edge) => [edge.id, edge]))
  const chosen = new Set(selected)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return links.map((link: FlowLink) => {
    const was = known.get(link.id)
    const isSelected = chosen.has(link.id)
    const times = countOf(link)
    const label = times === null ? null : count(times)
    const ariaLabel = linkSentence(link, byId)
    if (was && was.selected === isSelected && was.label === label && was.ariaLabel === ariaLabel) return was
    return {
      id: link.id,
      ariaLabel,
      label,
      source: link.source,
      target: link.target,
      sourceHandle: link.sourceHandle,
      type: 'smoothstep',
      selected: isSelected,
      focusable: false,
      markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--border-strong)', width: 18, height: 18 },
    }
  })
}
