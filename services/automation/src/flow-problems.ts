import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { RE2JS, RE2JSException } from 're2js'

/** States of a compiled pattern, at most: the time that it takes is this times the characters (`run/pattern.ts`). */
const mostInstructions = 1000

const isReadable = (pattern: string): boolean => {
  try {
    return RE2JS.compile(pattern).programSize() <= mostInstructions
  } catch (error) {
    if (error instanceof RE2JSException) return false
    throw error
  }
}

/** Patterns are read by an engine that takes time in proportion to the text, and knows no look-around or references back. */
const checkPatterns = ({ nodes }: FlowDocument): FlowProblem[] =>
  nodes.flatMap((node) => {
    if (node.type !== 'condition' || node.data.test.kind !== 'matches' || isReadable(node.data.test.pattern)) return []
    const sentence =
      'Este padrão não pode ser lido, ou é longo demais. Referências (\\1) e condições em volta (?=…) não são aceitas.'
    return [{ kind: 'bad_pattern', severity: 'error', nodeId: node.id, sentence }]
  })

/** Everything that is wrong with a flow, what only the server can find among it; errors first. */
export const flowProblems = (document: FlowDocument): FlowProblem[] => [
  ...checkPatterns(document),
  ...checkFlow(document),
]

/** Whether publishing it is refused. */
export const hasErrors = (document: FlowDocument): boolean =>
  flowProblems(document).some(({ severity }) => severity === 'error')
