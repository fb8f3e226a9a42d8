import type { FlowReplay, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { type StepContext, stepSentence, withoutImplied } from '../step-sentence.ts'

type Difference = FlowReplay['differences'][number]

interface ComparedSteps {
  /** Number of equal sentences at the beginning. */
  same: number
  before: string[]
  after: string[]
}

const sentencesOf = (steps: readonly FlowStepTaken[], context: StepContext): string[] =>
  withoutImplied(steps.map((step) => ({ step }))).map(({ step }) => stepSentence(step, context))

export const comparedSteps = (
  { before, after }: Pick<Difference, 'before' | 'after'>,
  context: StepContext,
): ComparedSteps => {
  const [was, would] = [sentencesOf(before, context), sentencesOf(after, context)]
  const parting = was.findIndex((sentence, index) => sentence !== would[index])
  const same = parting === -1 ? was.length : parting
  return { same, before: was.slice(same), after: would.slice(same) }
}
