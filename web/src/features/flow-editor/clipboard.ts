import type { FlowDocument, FlowLink, FlowNode } from '@prosa/contracts/flows/flow-document'
import { isLink, isStep } from './read-steps.ts'
import { newId } from './state/new-step.ts'
import { gridStep, linkOf, onGrid } from './state/step-graph.ts'

const format = 'prosa-flow-steps'

/** Includes the links between the nodes. */
export const copiedSteps = ({ nodes, links }: FlowDocument, ids: readonly string[]): string => {
  const chosen = new Set(ids)
  return JSON.stringify({
    format,
    nodes: nodes.filter(({ id }) => chosen.has(id)),
    links: links.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
  })
}

const parsed = (text: string): { nodes: unknown[]; links: unknown[] } | null => {
  try {
    const value = JSON.parse(text) as { format?: unknown; nodes?: unknown; links?: unknown } | null
    const isOurs = value?.format === format && Array.isArray(value.nodes) && Array.isArray(value.links)
    return isOurs ? { nodes: value.nodes as unknown[], links: value.links as unknown[] } : null
  } catch {
    // The clipboard may hold any text.
    return null
  }
}

export interface PastedSteps {
  nodes: FlowNode[]
  links: FlowLink[]
}

/** Pastes with new ids and a small offset; null for other text. The clipboard is untrusted input: only valid nodes and links are taken. */
export const pastedSteps = (text: string): PastedSteps | null => {
  const copied = parsed(text)
  if (!copied) return null
  const { nodes: known, links } = copied
  if (known.length === 0 || !known.every(isStep) || !links.every(isLink)) return null
  const ids = new Map<string, string>()
  for (const { id } of known) ids.set(id, newId())
  const renamed = (id: string) => ids.get(id)
  return {
    nodes: known.map((node) => ({
      ...node,
      id: renamed(node.id) ?? newId(),
      position: onGrid({ x: node.position.x + 2 * gridStep, y: node.position.y + 2 * gridStep }),
    })),
    links: links.flatMap(({ sourceHandle, ...link }) => {
      const [source, target] = [renamed(link.source), renamed(link.target)]
      return source && target ? linkOf({ source, target, sourceHandle }) : []
    }),
  }
}
