import type { FlowDocument, FlowLink, FlowNode } from '@prosa/contracts/flows/flow-document'
import { isLink, isNode } from './read-nodes.ts'
import { newId } from './state/new-node.ts'
import { gridPx, linkOf, onGrid } from './state/node-graph.ts'

const format = 'prosa-flow-steps'

/** Includes the links between the nodes. */
export const copiedNodes = ({ nodes, links }: FlowDocument, ids: readonly string[]): string => {
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

export interface PastedNodes {
  nodes: FlowNode[]
  links: FlowLink[]
}

/** Pastes with new ids and a small offset; null for other text. The clipboard is untrusted input: only valid nodes and links are taken. */
export const pastedNodes = (text: string): PastedNodes | null => {
  const copied = parsed(text)
  if (!copied) return null
  const { nodes: known, links } = copied
  if (known.length === 0 || !known.every(isNode) || !links.every(isLink)) return null
  const ids = new Map<string, string>()
  for (const { id } of known) ids.set(id, newId())
  const renamed = (id: string) => ids.get(id)
  return {
    nodes: known.map((node) => ({
      ...node,
      id: renamed(node.id) ?? newId(),
      position: onGrid({ x: node.position.x + 2 * gridPx, y: node.position.y + 2 * gridPx }),
    })),
    links: links.flatMap(({ sourceHandle, ...link }) => {
      const [source, target] = [renamed(link.source), renamed(link.target)]
      return source && target ? linkOf({ source, target, sourceHandle }) : []
    }),
  }
}
