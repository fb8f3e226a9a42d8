import type { FlowRunDetail, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { startedBySentence } from '../flow-words.ts'
import { withoutImplied } from '../step-sentence.ts'

type Step = FlowRunDetail['steps'][number]

interface Explained {
  causationId: string
  cause: string
  steps: Step[]
}

const causeOf = (step: FlowStepTaken | undefined, startedBy: string): string => {
  if (step?.kind === 'started') return startedBySentence(startedBy)
  if (step?.kind === 'answered') return 'O contato respondeu.'
  if (step?.kind === 'kept') return 'O contato escreveu enquanto o fluxo esperava.'
  if (step?.kind === 'passed' && step.type === 'delay') return 'O tempo de espera passou.'
  if (step?.kind === 'passed' && step.output === 'timeout') return 'O tempo para responder passou.'
  if (step?.kind !== 'ended') return 'O fluxo continuou.'
  if (step.reason === 'silence') return 'O contato ficou em silêncio.'
  return step.reason === 'accepted' ? 'Alguém da equipe aceitou a conversa.' : 'Algo fora do fluxo o terminou.'
}

/** Groups steps by the event that caused them, in the order of the log. */
export const explainedSteps = ({ steps, startedBy }: Pick<FlowRunDetail, 'steps' | 'startedBy'>): Explained[] => {
  const groups: Explained[] = []
  for (const step of steps) {
    const last = groups.at(-1)
    if (last?.causationId === step.causationId) last.steps.push(step)
    else groups.push({ causationId: step.causationId, cause: causeOf(step.step, startedBy), steps: [step] })
  }
  return groups
    .map((group) => ({ ...group, steps: withoutImplied(group.steps) }))
    .filter((group) => group.steps.length > 0)
}
