import type { FlowDocument, FlowNode, FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode, newNodeData } from '@prosa/contracts/flows/new-node'

const at = { x: 0, y: 0 }
const node = <T extends FlowNode['type']>(type: T, id: string, data: Partial<FlowNodeOf<T>['data']>): FlowNode =>
  ({ ...newNode(type, id, at), data: { ...newNodeData[type], ...data } }) as FlowNode

/** Asks for an address once the word is written, and repeats the answer. */
export const questionFlow = (word: string): FlowDocument => ({
  nodes: [
    node('trigger', 'start', { start: { kind: 'keyword', words: [word], match: 'contains' } }),
    node('question', 'asks', { question: 'Qual é o endereço?', variable: 'endereco' }),
    node('message', 'notes', { message: 'Anotado: {endereco}' }),
  ],
  links: [
    { id: 'start asks', source: 'start', target: 'asks', sourceHandle: null },
    { id: 'asks notes', source: 'asks', target: 'notes', sourceHandle: 'answer' },
  ],
  settings: { ...newFlowSettings },
})
