import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'

const at = { x: 0, y: 0 }

const nodeOf = (id: string, type: FlowNode['type'], data: object): FlowNode => {
  const node = newNode(type, id, at)
  return { ...node, data: { ...node.data, ...data } } as FlowNode
}

const outputOf = ({ type }: FlowNode) => (type === 'condition' ? 'false' : type === 'question' ? 'answer' : null)

const rowOf = (nodes: readonly FlowNode[], start: object = { kind: 'any_message' }): FlowDocument => {
  const all = [nodeOf('start', 'trigger', { start }), ...nodes]
  const links = all.slice(0, -1).map((node, index) => ({
    id: `l${index}`,
    source: node.id,
    target: all[index + 1]?.id ?? '',
    sourceHandle: outputOf(node),
  }))
  return { nodes: all, links, settings: { ...newFlowSettings, again: 'always' } } as FlowDocument
}

const messages = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => nodeOf(`n${index}`, 'message', { message: text(index) }))

/** Six messages of 98 kB: a URL that consists of dots. */
export const dotted = () => rowOf(messages(6, () => `https://exemplo.com/${'.'.repeat(97_900)}a${'.'.repeat(50)}`))

export const repeating = () => rowOf(messages(160, () => '{resposta}'.repeat(400)))

/** 990 conditions with patterns that are slow to compile and to match. */
export const patterned = () =>
  rowOf(
    Array.from({ length: 990 }, (_, index) =>
      nodeOf(`c${index}`, 'condition', {
        test: { kind: 'matches', variable: 'resposta', pattern: `(${'(a|b|ab)*c?'.repeat(38)}){1,2}${index}$` },
      }),
    ),
  )

const largestBytes = 690_000

/** Largest valid draft, with the limit of nodes and links. `mark` makes it unique. */
export const largest = (mark: string): FlowDocument => {
  const nodes = 999
  const flow = rowOf(messages(nodes, () => ''))
  const links = Array.from({ length: 3000 - nodes }, (_, index) => ({
    id: `m${index}`,
    source: `n${index % nodes}`,
    target: `n${(index * 7 + 131) % nodes}`,
    sourceHandle: null,
  }))
  const document = { ...flow, links: [...flow.links, ...links] }
  const room = largestBytes - Buffer.byteLength(JSON.stringify(document))
  const text = `${mark} {nome} `
    .padEnd(Math.floor(room / nodes), 'bolo de fubá ')
    .slice(0, Math.floor(room / nodes) - 60)
  return { ...document, nodes: document.nodes.map((node) => withText(node, text)) }
}

export const largestPublished = (mark: string): FlowDocument => {
  const { links, ...flow } = largest(mark)
  return { ...flow, links: links.slice(0, 999) }
}

const withText = (node: FlowNode, message: string): FlowNode =>
  node.type === 'message' ? { ...node, data: { ...node.data, message } } : node

/** 50 keywords that almost match a long run of one letter at each position. */
export const keyworded = () =>
  rowOf(
    messages(1, () => 'Oi!'),
    {
      kind: 'keyword',
      words: Array.from({ length: 50 }, (_, index) => 'a'.repeat(50 + index)),
      match: 'contains',
    },
  )

export const started = (word: string) =>
  rowOf(
    messages(1, () => 'Fim.'),
    { kind: 'keyword', words: [word], match: 'equals' },
  )

/** A loop of 190 messages per answer: the limit of steps between two answers. */
export const endless = (): FlowDocument => {
  const flow = rowOf([...messages(190, () => '{resposta} '.repeat(300)), nodeOf('ask', 'question', { question: 'E?' })])
  return { ...flow, links: [...flow.links, { id: 'back', source: 'ask', target: 'n0', sourceHandle: 'answer' }] }
}

export const talkative = () => rowOf(messages(160, (index) => `${index}: {resposta} `.repeat(300).slice(0, 4000)))
