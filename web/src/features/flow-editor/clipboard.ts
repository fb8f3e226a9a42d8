import type { FlowDocument, FlowLink, FlowNode, FlowNote } from '@prosa/contracts/flows/flow-document'
import { notesOf } from './notes/flow-notes.ts'
import { isLink, isNode, isNote } from './read-nodes.ts'
import { newId } from './state/new-node.ts'
import { gridPx, linkOf, onGrid } from './state/node-graph.ts'

const format = 'prosa-flow-steps'

/** `ids`: of nodes and notes. Includes the links between the nodes. */
export const copiedNodes = (document: FlowDocument, ids: readonly string[]): string => {
  const { nodes, links } = document
  const chosen = new Set(ids)
  return JSON.stringify({
    format,
    nodes: nodes.filter(({ id }) => chosen.has(id)),
    links: links.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
    notes: notesOf(document).filter(({ id }) => chosen.has(id)),
  })
}

interface Copied {
  nodes: unknown[]
  links: unknown[]
  notes: unknown[]
}

const parsed = (text: string): Copied | null => {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof Copied | 'format', unknown>> | null
    if (value?.format !== format) return null
    // Copied by an older window: without notes.
    const { nodes, links, notes = [] } = value
    return Array.isArray(nodes) && Array.isArray(links) && Array.isArray(notes) ? { nodes, links, notes } : null
  } catch {
    // The clipboard may hold any text.
    return null
  }
}

export interface PastedNodes {
  nodes: FlowNode[]
  links: FlowLink[]
  notes: FlowNote[]
}

const beside = ({ x, y }: FlowNote['position']) => onGrid({ x: x + 2 * gridPx, y: y + 2 * gridPx })

/** Pastes with new ids and a small offset; null for other text. The clipboard is untrusted input: only valid nodes, links and notes are taken. */
export const pastedNodes = (text: string): PastedNodes | null => {
  const copied = parsed(text)
  if (!copied) return null
  const { nodes: known, links, notes } = copied
  if (known.length + notes.length === 0) return null
  if (!known.every(isNode) || !links.every(isLink) || !notes.every(isNote)) return null
  const ids = new Map<string, string>()
  for (const { id } of known) ids.set(id, newId())
  const renamed = (id: string) => ids.get(id)
  return {
    nodes: known.map((node) => ({
      ...node,
      id: renamed(node.id) ?? newId(),
      position: beside(node.position),
    })),
    links: links.flatMap(({ sourceHandle, ...link }) => {
      const [source, target] = [renamed(link.source), renamed(link.target)]
      return source && target ? linkOf({ source, target, sourceHandle }) : []
    }),
    notes: notes.map(({ text, position }) => ({ id: newId(), text, position: beside(position) })),
  }
}
