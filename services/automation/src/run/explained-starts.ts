import type { StartVerdict } from '@prosa/contracts/http/automation/flow-order'
import {
  type Candidate,
  flowSetOffBy,
  obstacleTo,
  type StartingMessage,
  startKindOf,
  triggersBy,
} from './choose-flow.ts'
import type { FlowRuns } from './flow-run-state.ts'

interface ExplainedStart {
  flowId: string
  kind: ReturnType<typeof startKindOf>
  verdict: StartVerdict
}

const notNamed: Record<NonNullable<ExplainedStart['kind']>, StartVerdict> = {
  keyword: 'no_keyword',
  first_contact: 'not_first',
  out_of_hours: 'open',
  label_set: 'by_label',
  any_message: 'after_another',
}

/** For each candidate, why it starts by the message or does not; by the predicates of `flowSetOffBy`. */
export const explainedStarts = (message: StartingMessage, state: FlowRuns): ExplainedStart[] => {
  const chosen = flowSetOffBy(message, state)
  const startedByIn = triggersBy(message)
  const verdictOf = (candidate: Candidate): StartVerdict => {
    if (candidate.flowId === chosen?.flow.flowId) return 'answers'
    const kind = startKindOf(candidate)
    if (kind === null) return 'trigger_off'
    const obstacle = obstacleTo(candidate, state, message)
    if (obstacle) return obstacle
    const wouldStart = startedByIn(candidate)
    if (!wouldStart) return notNamed[kind]
    return wouldStart === chosen?.startedBy ? 'after_another' : 'less_specific'
  }
  return message.candidates.map((each) => ({ flowId: each.flowId, kind: startKindOf(each), verdict: verdictOf(each) }))
}
