import type { FlowDocument, FlowLink, FlowNode } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { type Edge, MarkerType, type Node } from 'reactflow'
import { count } from '../../../lib/format.ts'
import type { ProblemsByNode } from '../state/use-problems.ts'
import { isOff, type Named, stepTexts } from '../step-words.ts'

export interface StepData {
  step: FlowNode
  text: string
  detail: string | undefined
  isOff: boolean
  /** The worst severity and the number of problems. */
  severity: 'error' | 'warning' | null
  sentences: string
  isStanding: boolean
  isFound: boolean
}

export type CanvasNode = Node<StepData>

interface Drawn {
  nodes: readonly FlowNode[]
  selected: readonly string[]
  problems: ProblemsByNode
  standing: string | null
  found: ReadonlySet<string>
  named: Named
}

const isSameData = (one: StepData, other: StepData) =>
  (Object.keys(one) as (keyof StepData)[]).every((key) => one[key] === other[key])

/** Unchanged nodes keep their identity, so that React does not render them again. */
export const canvasNodes = (drawn: Drawn, before: readonly CanvasNode[]): CanvasNode[] => {
  const known = new Map(before.map((node) => [node.id, node]))
  const selected = new Set(drawn.selected)
  return drawn.nodes.map((step) => {
    const problems = drawn.problems.get(step.id) ?? []
    const { text, detail } = stepTexts(step, drawn.named)
    const data: StepData = {
      step,
      text,
      detail,
      isOff: isOff(step),
      severity: problems[0]?.severity ?? null,
      sentences: problems.map(({ sentence }) => sentence).join(' '),
      isStanding: drawn.standing === step.id,
      isFound: drawn.found.has(step.id),
    }
    const was = known.get(step.id)
    const isSelected = selected.has(step.id)
    if (was && was.selected === isSelected && isSameData(was.data, data)) return was
    return {
      id: step.id,
      type: 'step',
      position: step.position,
      data,
      selected: isSelected,
      // reactflow's measurement is still valid.
      width: was?.width ?? null,
      height: was?.height ?? null,
      ariaLabel: `${nodeTypeNames[step.type]}: ${text}`,
    }
  })
}

/** Runs that followed a link; null until one reached its source node. */
export type CountOf = (link: FlowLink) => number | null

export const canvasEdges = (
  { links }: FlowDocument,
  selected: readonly string[],
  countOf: CountOf,
  before: readonly Edge[],
): Edge[] => {
  const known = new Map(before.map((edge) => [edge.id, edge]))
  const chosen = new Set(selected)
  return links.map((link: FlowLink) => {
    const was = known.get(link.id)
    const isSelected = chosen.has(link.id)
    const times = countOf(link)
    const label = times === null ? null : count(times)
    if (was && was.selected === isSelected && was.label === label) return was
    return {
      id: link.id,
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
