import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { patternBudget, patternStates } from './run/pattern.ts'

const unreadable =
  'Este padrão não pode ser lido, ou é longo demais. Referências (\\1) e condições em volta (?=…) não são aceitas.'
const tooMany =
  'Os padrões deste fluxo são longos demais juntos, a partir deste: simplifique-os, ou divida o fluxo em dois.'

/**
 * Patterns are read by an engine that takes time in proportion to the text, and knows no look-around or references back. Those beyond
 * the budget are not even compiled.
 */
const checkPatterns = ({ nodes }: FlowDocument): FlowProblem[] => {
  const left: { characters: number; states: number } = { ...patternBudget }
  const seen = new Map<string, string | null>()
  const faultOf = (pattern: string): string | null => {
    left.characters -= pattern.length
    if (left.characters < 0) return tooMany
    const states = patternStates(pattern)
    if (states === null) return unreadable
    left.states -= states
    return left.states < 0 ? tooMany : null
  }
  return nodes.flatMap((node) => {
    if (node.type !== 'condition' || node.data.test.kind !== 'matches') return []
    const { pattern } = node.data.test
    const known = seen.get(pattern)
    const sentence = known === undefined ? faultOf(pattern) : known
    seen.set(pattern, sentence)
    return sentence === null ? [] : [{ kind: 'bad_pattern', severity: 'error', nodeId: node.id, sentence }]
  })
}

/** Everything that is wrong with a flow, what only the server can find among it; errors first. */
export const flowProblems = (document: FlowDocument): FlowProblem[] => [
  ...checkPatterns(document),
  ...checkFlow(document),
]

/** Whether publishing it is refused. */
export const hasErrors = (document: FlowDocument): boolean =>
  flowProblems(document).some(({ severity }) => severity === 'error')
