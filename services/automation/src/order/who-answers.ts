import { speakerOutOfHours } from '@prosa/contracts/flows/one-answer'
import type { MessageTried, WhoAnswers } from '@prosa/contracts/http/automation/flow-order'
import { isOpen, nextOpening } from '@prosa/contracts/values/time/is-open'
import { explainedStarts } from '../run/explained-starts.ts'
import { noRuns } from '../run/flow-run-state.ts'
import { findFlowsOn } from '../run/queries.ts'
import type { FlowRunHandlers } from '../run/run-handlers.ts'

/** Which flow a message would start now, by the rule of real ones, for somebody with whom no flow goes on. */
export const whoAnswers = async (
  handlers: Pick<FlowRunHandlers, 'pool' | 'clock' | 'candidatesFor' | 'replyHoursOf' | 'defaultOf'>,
  tenant: string,
  { text, connectionId, at, isNew }: MessageTried,
): Promise<WhoAnswers> => {
  const { pool, clock, candidatesFor, replyHoursOf, defaultOf } = handlers
  const published = await findFlowsOn(pool, tenant)
  const candidates = await candidatesFor(tenant, { status: 'waiting' }, clock.now(), published)
  const { hours, isReplyOn } = await replyHoursOf(tenant)
  const now = at ?? clock.now()
  const isOutOfHours = hours !== null && !isOpen(hours, now)
  const message = {
    ...{ now, writtenAt: now, connectionId, candidates, text, isFirst: isNew, isOutOfHours },
    defaultFlowId: await defaultOf(tenant),
  }
  const flows = explainedStarts(message, noRuns)
  const isTaken = flows.some(({ verdict }) => verdict === 'answers')
  const speaker = speakerOutOfHours({
    // Without an opening to come none is sent.
    isReplyOn: isReplyOn && isOutOfHours && nextOpening(hours, now) !== null,
    isTaken,
    isRunOn: false,
    hasOutOfHoursFlow:
      isOutOfHours && flows.some(({ kind, verdict }) => kind === 'out_of_hours' && verdict !== 'other_line'),
    startsNoFlow: false,
  })
  const explained = new Set(flows.map(({ flowId }) => flowId))
  const mayNone = candidates.length === 0 && published.some(({ isOn }) => isOn)
  const others = published
    .filter(({ flowId }) => !explained.has(flowId))
    .map(({ flowId, isOn }) => ({
      flowId,
      kind: null,
      verdict: isOn && mayNone ? ('no_access' as const) : ('off' as const),
    }))
  return { speaker, isOutOfHours, isReplyOn, flows: [...flows, ...others] }
}
