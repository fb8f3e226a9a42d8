import type { FlowDocument, FlowLink, FlowNode } from '@prosa/contracts/flows/flow-document'
import { isLink, isStep } from './read-steps.ts'
import { newId } from './state/new-step.ts'
import { gridStep, linkOf, onGrid } from './state/step-graph.ts'

const format = 'prosa-flow-steps'

/** The nodes of these ids as a text, with the links between them. */
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
    // Any text may be on the clipboard.
    return null
  }
}

export interface PastedSteps {
  nodes: FlowNode[]
  links: FlowLink[]
}

/**
 * What was copied here or in another flow, with new ids and a little beside where it was; null of any other text. What is not
 * a node or a link as they are stored is not taken: a clipboard is nobody's own.
 */
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
