import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import type { RequestFailure } from '@prosa/contracts/flows/request'
import { variablesOfRequest } from '@prosa/contracts/flows/request-template'
import type { Instant } from '@prosa/contracts/values/instant'
import type { FlowRunEvent } from '../flow-run-state.ts'

type Asked = Extract<FlowRunEvent, { type: 'FlowRequestAsked' }>['data']
type Answered = Extract<FlowRunEvent, { type: 'FlowRequestAnswered' }>['data']

export type RequestReply = Pick<Answered, 'status' | 'failure' | 'durationMs' | 'attempts' | 'values' | 'types'>

/** Then the run goes on by 'Deu errado'; a request takes at most 40 s once it is sent. */
export const waitForReplySeconds = 300

/** Of the values that a request names, as JSON: one append of 1 MiB, and encryption adds a third. */
const maxValueBytes = 200_000

export const failedReply = (failure: RequestFailure): RequestReply => ({
  ...{ status: null, failure, durationMs: 0, attempts: 0, values: {} },
})

/** The second event only where it is too large to be sent. */
export const requestEvents = (
  step: Pick<Asked, 'runId' | 'flowId' | 'version' | 'step' | 'nodeId'>,
  { data }: FlowNodeOf<'request'>,
  known: Readonly<Record<string, string>>,
  until: Instant,
): FlowRunEvent[] => {
  const values = Object.fromEntries(
    variablesOfRequest(data).flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name] ?? '']] : [])),
  )
  const isTooLarge = Buffer.byteLength(JSON.stringify(values)) > maxValueBytes
  const asked: FlowRunEvent = {
    type: 'FlowRequestAsked',
    data: { ...step, until, values: isTooLarge ? {} : values },
  }
  if (!isTooLarge) return [asked]
  return [asked, { type: 'FlowRequestAnswered', data: { ...step, ...failedReply('request_too_large') } }]
}
