import type { FlowNodeOf, FlowNodeType, FlowOutput } from '@prosa/contracts/flows/flow-document'
import { maximumUnansweredMessages } from '@prosa/contracts/flows/flow-limits'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import type { Instant } from '@prosa/contracts/values/instant'
import { maximumFieldValueLength } from '@prosa/contracts/values/lengths'
import type { FlowRunEvent, Run } from './flow-run-state.ts'
import { messageRequests } from './message-requests.ts'
import { countNow } from './recent-flows.ts'
import { endRun, type nextStep, pause, record, runIn, type Scene } from './scene.ts'

export type Step = ReturnType<typeof nextStep>

export const stops = 'stops'
/** The output taken, unless the run waits or ended. */
export type Way = FlowOutput | typeof stops

export const laterBy = (now: Instant, seconds: number): Instant =>
  new Date(Date.parse(now) + seconds * 1000).toISOString()

const valuesBy =
  (form: (type: AnswerType | undefined, stored: string) => string) =>
  ({ facts, fieldValues }: Scene, { variables, types = {} }: Run): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(
      [...facts.fields].flatMap(([id, { variable, type }]) => {
        const value = fieldValues[id]
        return value === undefined ? [] : [[variable, form(type, value)]]
      }),
    ),
    ...variables,
    ...Object.fromEntries(Object.entries(types).map(([name, type]) => [name, form(type, variables[name] ?? '')])),
    nome: facts.firstName,
    empresa: facts.company,
  })

/** As people write them: what texts show, and conditions compare. */
export const valuesOf = valuesBy(shownAnswer)

/** '2026-11-27', '1234.50': what other systems read. */
export const storedValuesOf = valuesBy((_, stored) => stored)

type Skipped = Extract<FlowRunEvent, { type: 'FlowStepTaken' }>['data']['skipped']

export const take = (
  scene: Scene,
  step: Step,
  type: FlowNodeType,
  output: FlowOutput,
  skipped?: Skipped,
): FlowOutput => {
  record(scene, { type: 'FlowStepTaken', data: { ...step, type, output, ...(skipped && { skipped }) } })
  return output
}

/** If not, ends the run. */
const maySend = (scene: Scene, { runId, unanswered }: Run, count: number): boolean => {
  const { state, facts } = scene
  if (unanswered + count > maximumUnansweredMessages) {
    const run = runIn(scene, runId)
    if (run) endRun(scene, run, 'unanswered')
    return false
  }
  if (countNow(state.recent, facts.now).messages + count <= facts.limits.messages) return true
  pause(scene, 'messages', { runId })
  return false
}

/** False if the run ended instead. */
export const requestMessage = (
  scene: Scene,
  run: Run,
  step: Step,
  message: string,
  rest: Partial<FlowNodeOf<'message'>['data']> = {},
): boolean => {
  const request = { message, file: rest.file ?? null, typingSeconds: rest.typingSeconds ?? 0 }
  const about = { ...step, connectionId: run.connectionId, requestedAt: scene.facts.now }
  const events = messageRequests(about, request, valuesOf(scene, run))
  if (events.length > 0 && !maySend(scene, run, events.length)) return false
  for (const event of events) record(scene, event)
  return true
}

/** Nothing for a field that was deleted since, or holds another type. */
export const requestField = (scene: Scene, step: Step, fieldId: string, type: AnswerType, value: string): void => {
  if (scene.facts.fields.get(fieldId)?.type !== type) return
  const short = value.slice(0, maximumFieldValueLength).replace(/[\ud800-\udbff]$/, '')
  record(scene, { type: 'FlowFieldRequested', data: { ...step, fieldId, type, value: short } })
  scene.fieldValues = { ...scene.fieldValues, [fieldId]: short }
}
