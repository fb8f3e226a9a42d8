import type {
  FlowDocument,
  FlowNode,
  FlowNodeOf,
  FlowNodeType,
  FlowOutput,
  FlowSettings,
} from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'

type Data = { [T in FlowNodeType]: Partial<FlowNodeOf<T>['data']> }

export const nodeOf = <T extends FlowNodeType>(id: string, type: T, data: Data[T] = {}): FlowNode => {
  const node = newNode(type, id, { x: 0, y: 0 })
  return { ...node, data: { ...node.data, ...data } } as FlowNode
}

/** 'a > b' and 'a true > c', one per line. */
const linksOf = (lines: readonly string[]) =>
  lines.map((line) => {
    const [from = '', target = ''] = line.split(' > ')
    const [source = '', output = null] = from.split(' ')
    return { id: line, source, target, sourceHandle: output as FlowOutput }
  })

export const flowOf = (
  nodes: readonly FlowNode[],
  lines: readonly string[],
  settings: Partial<FlowSettings> = {},
): FlowDocument => ({
  nodes: [...nodes],
  links: linksOf(lines),
  settings: { ...newFlowSettings, again: 'always', ...settings },
})

export const rowOf = (nodes: readonly FlowNode[], settings: Partial<FlowSettings> = {}): FlowDocument => {
  const lines = nodes.slice(1).map(({ id }, index) => {
    const before = nodes[index]
    return `${before?.id}${before?.type === 'question' ? ' answer' : ''} > ${id}`
  })
  return flowOf(nodes, lines, settings)
}

/** Stores its answer under its own id. */
export const begins = nodeOf('start', 'trigger')
export const says = (id: string, message = id) => nodeOf(id, 'message', { message })
export const asks = (id: string, question = `${id}?`, timeoutSeconds: number | null = null) =>
  nodeOf(id, 'question', { question, variable: id, timeoutSeconds })
export const waits = (id: string, delay: string) => nodeOf(id, 'delay', { delay })
