import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'

/** Answers a word with a message. */
export const keywordFlow = (word: string, answer: string): FlowDocument => {
  const at = { x: 0, y: 0 }
  const [trigger, message] = [newNode('trigger', 'start', at), newNode('message', 'says', at)]
  const start = { kind: 'keyword', words: [word], match: 'equals' } as const
  const nodes = [
    { ...trigger, data: { ...trigger.data, start } },
    { ...message, data: { ...message.data, message: answer } },
  ] as FlowDocument['nodes']
  return {
    nodes,
    links: [{ id: 'start says', source: 'start', target: 'says', sourceHandle: null }],
    settings: newFlowSettings,
  }
}
