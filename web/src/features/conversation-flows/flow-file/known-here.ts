import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import { plural } from '../../../lib/format/format.ts'

export interface Known {
  labels: ReadonlySet<string>
  flows: ReadonlySet<string>
  connections: ReadonlySet<string>
}

const withoutStrangers = (node: FlowNode, { labels, flows }: Known): FlowNode => {
  const isStrange = (labelId: string | null) => labelId !== null && !labels.has(labelId)
  if (node.type === 'label' && isStrange(node.data.labelId)) return { ...node, data: { ...node.data, labelId: null } }
  if (node.type === 'flow' && node.data.flowId !== null && !flows.has(node.data.flowId))
    return { ...node, data: { ...node.data, flowId: null } }
  if (node.type === 'trigger' && node.data.start.kind === 'label_set' && isStrange(node.data.start.labelId))
    return { ...node, data: { ...node.data, start: { ...node.data.start, labelId: null } } }
  if (node.type === 'condition' && node.data.test.kind === 'label' && isStrange(node.data.test.labelId))
    return { ...node, data: { ...node.data, test: { ...node.data.test, labelId: null } } }
  return node
}

/** Removes labels, flows and lines that this tenant does not have. `sentence` names what to choose again, null if nothing. */
export const knownHere = (
  document: FlowDocument,
  known: Known,
): { document: FlowDocument; sentence: string | null } => {
  const nodes = document.nodes.map((node) => withoutStrangers(node, known))
  const changed = nodes.filter((node, index) => node !== document.nodes[index]).length
  const connectionIds = document.settings.connectionIds.filter((id) => known.connections.has(id))
  const lines = document.settings.connectionIds.length - connectionIds.length
  const sentences = [
    changed > 0 &&
      `${plural(changed, 'passo usa', 'passos usam')} etiquetas ou fluxos que não existem nesta conta: escolha outros no editor.`,
    lines > 0 && `${plural(lines, 'número escolhido não existe', 'números escolhidos não existem')} nesta conta.`,
  ].filter((sentence) => sentence !== false)
  return {
    document: { ...document, nodes, settings: { ...document.settings, connectionIds } },
    sentence: sentences.length === 0 ? null : sentences.join(' '),
  }
}
