import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { patternBudget, patternStates } from './run/text/pattern.ts'

const unreadable =
  'Este padrão não pode ser lido, ou é longo demais. Referências (\\1) e condições em volta (?=…) não são aceitas.'
const tooMany =
  'Os padrões deste fluxo são longos demais juntos, a partir deste: simplifique-os, ou divida o fluxo em dois.'

/** The engine is linear, without look-around or back references. Patterns beyond the budget are not compiled. */
const checkPatterns = ({ nodes }: FlowDocument): FlowProblem[] => {
  const left: { characters: number; states: number } = { ...patternBudget }
  const seen = new Map<string, string | null>()
  const faultOf = (pattern: string): string | null => {
    left.characters -= pattern.length
    if (left.characters < 0 || left.states < 0) return tooMany
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

/** Compiles in slices beforehand: may take 0.2 s. */
export const precompilePatterns = async ({ nodes }: FlowDocument, slice: TimeSlice): Promise<void> => {
  const patterns = nodes.flatMap(({ type, data }) =>
    type === 'condition' && data.test.kind === 'matches' ? data.test.pattern : [],
  )
  let { characters }: { characters: number } = patternBudget
  for (const pattern of new Set(patterns)) {
    characters -= pattern.length
    if (characters < 0) return
    if (slice.isDue()) await slice.turn()
    patternStates(pattern)
  }
}

/** Includes problems that only the server finds; errors first. `ofContacts`: variables of the contacts' own fields. */
export const flowProblems = (document: FlowDocument, ofContacts: readonly string[] = []): FlowProblem[] => [
  ...checkPatterns(document),
  ...checkFlow(document, ofContacts),
]

export const hasErrors = (document: FlowDocument): boolean =>
  flowProblems(document).some(({ severity }) => severity === 'error')
