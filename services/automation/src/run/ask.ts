import type { FlowDocument, FlowNodeOf, FlowOutput, FlowSettings } from '@prosa/contracts/flows/flow-document'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { readAnswer } from '@prosa/contracts/values/answers/read-answer'
import { recordedText } from '@prosa/contracts/values/text/readable-text'
import type { KeptInput, Run } from './flow-run-state.ts'
import { nextStep, record, runIn, type Scene } from './scene.ts'
import { laterBy, requestField, requestMessage, type Step, stops, take, type Way } from './step.ts'
import { menuChoice } from './text/menu-choice.ts'

export type Asking = FlowNodeOf<'question' | 'menu'>

export const silenceSeconds = ({ silenceHours }: FlowSettings) => silenceHours * 3600

/** The limit ends before silence does. */
export const hasTimeout = ({ data }: Asking, settings: FlowSettings) =>
  data.timeoutSeconds !== null && data.timeoutSeconds <= silenceSeconds(settings)

/** `attempt` counts how often it asked again. */
const awaitAnswer = (
  scene: Scene,
  { settings }: FlowDocument,
  node: Asking,
  step: Step,
  attempt?: number,
): typeof stops => {
  const seconds = hasTimeout(node, settings) ? (node.data.timeoutSeconds ?? 0) : silenceSeconds(settings)
  const until = laterBy(scene.facts.now, seconds)
  record(scene, { type: 'FlowAnswerAwaited', data: { ...step, until, ...(attempt !== undefined && { attempt }) } })
  return stops
}

interface Understood {
  output: FlowOutput
  /** Stored instead of the text. */
  value?: string
  answerType?: AnswerType
}

const understand = (node: Asking, { text, file }: KeptInput, today: string): Understood | undefined => {
  if (node.type === 'menu') {
    const option = menuChoice(node.data.options, text)
    return option && { output: option.output, value: option.label }
  }
  const { check } = node.data
  if (!check) return { output: 'answer' }
  const value = readAnswer(check.type, { text, file }, today)
  return value === undefined ? undefined : { output: 'answer', value, answerType: check.type }
}

const asksAgain = (node: Asking): { again: string; attempts: number } => {
  if (node.type === 'menu') return { again: node.data.notUnderstood, attempts: node.data.attempts }
  return node.data.check ?? { again: '', attempts: 0 }
}

/** An answer that is not understood is asked for again, also where several were written meanwhile; it changes only the last answer. */
export const receiveAnswer = (
  scene: Scene,
  document: FlowDocument,
  node: Asking,
  step: Step,
  input: KeptInput,
  attempt = 0,
): Way => {
  // Before 25 November 2026 inputs were not cut.
  const text = recordedText(input.text)
  const { output, ...meant } = understand(node, { ...input, text }, scene.facts.today) ?? { output: undefined }
  const variable = output === undefined || node.data.variable === '' ? 'resposta' : node.data.variable
  const { messageId } = input
  record(scene, { type: 'FlowAnswerReceived', data: { ...step, messageId, variable, text, ...meant } })
  if (output !== undefined) {
    const { value, answerType }: Partial<Understood> = meant
    const fieldId = node.type === 'question' ? node.data.check?.fieldId : undefined
    if (fieldId && value !== undefined && answerType) requestField(scene, step, fieldId, answerType, value)
    return take(scene, step, node.type, output)
  }
  const { again, attempts } = asksAgain(node)
  if (attempt >= attempts) return take(scene, step, node.type, 'not_understood')
  const run = runIn(scene, step.runId)
  if (!run) return stops
  const next = nextStep(run, node.id)
  if (!requestMessage(scene, run, next, again)) return stops
  const [written] = run.kept
  if (written) return receiveAnswer(scene, document, node, next, written, attempt + 1)
  return awaitAnswer(scene, document, node, next, attempt + 1)
}

interface Visited {
  scene: Scene
  run: Run
  document: FlowDocument
  node: Asking
  step: Step
}

export const ask = (text: string, { scene, run, document, node, step }: Visited): Way => {
  if (!requestMessage(scene, run, step, text)) return stops
  const [written] = run.kept
  return written ? receiveAnswer(scene, document, node, step, written) : awaitAnswer(scene, document, node, step)
}
