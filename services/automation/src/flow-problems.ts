import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { lruMap } from '@prosa/kernel/lru-map'
import { RE2JS, RE2JSException } from 're2js'

/** States of a compiled pattern, at most: the time that it takes is this times the characters (`run/pattern.ts`). */
const mostInstructions = 1000

/** Of the patterns that were looked at last: as many as four flows of the largest have. */
const known = lruMap<string, boolean>(4000)

const isReadable = (pattern: string): boolean => {
  const found = known.get(pattern) ?? canBeRead(pattern)
  known.set(pattern, found)
  return found
}

const canBeRead = (pattern: string): boolean => {
  try {
    return RE2JS.compile(pattern).programSize() <= mostInstructions
  } catch (error) {
    if (error instanceof RE2JSException) return false
    throw error
  }
}

/** Looks at the patterns of a flow before all else is, in slices: some hundreds of them take a second. */
export const readPatterns = async ({ nodes }: FlowDocument, slice: TimeSlice): Promise<void> => {
  for (const node of nodes) {
    if (node.type !== 'condition' || node.data.test.kind !== 'matches') continue
    if (slice.isDue()) await slice.turn()
    isReadable(node.data.test.pattern)
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

/**
 * Everything that is wrong with a flow, what only the server can find among it; errors first. Quick where the patterns were read before
 * (`readPatterns`).
 */
export const flowProblems = (document: FlowDocument): FlowProblem[] => [
  ...checkPatterns(document),
  ...checkFlow(document),
]

/** Whether publishing it is refused. */
export const hasErrors = (document: FlowDocument): boolean =>
  flowProblems(document).some(({ severity }) => severity === 'error')
