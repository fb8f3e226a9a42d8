import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowStepTaken, FlowTestInput, FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import { startWords } from '../flow-words.ts'
import { type StepContext, stepSentence, withoutImplied } from '../step-sentence.ts'

type FileKind = (FlowStepTaken & { kind: 'message' })['fileKind']

export type TryoutItem = { key: string } & (
  | { kind: 'contact'; text: string }
  | {
      kind: 'own'
      text: string
      file: { kind: NonNullable<FileKind>; fileName: string | null } | null
      typingSeconds: number
    }
  | { kind: 'line'; text: string; isWarning: boolean }
)

const line = (key: string, text: string, isWarning = false): TryoutItem => ({ key, kind: 'line', text, isWarning })

type End = (FlowStepTaken & { kind: 'ended' })['reason']

/** Reason why an input had no effect. */
const whyNothing = (end: End | undefined, { names }: StepContext, { nodes, settings }: FlowDocument): string => {
  if (end === 'handed_over')
    return 'Nada acontece: a conversa espera por uma pessoa, e nenhum fluxo começa até ela ser finalizada.'
  const hasEnded = end !== undefined
  const trigger = nodes.find(({ type }) => type === 'trigger')
  if (trigger?.type !== 'trigger') return 'Nada acontece: o fluxo não tem gatilho.'
  if (!trigger.data.enabled) return 'Nada acontece: o gatilho está desativado.'
  if (hasEnded && settings.again === 'never')
    return 'Nada acontece: este fluxo não começa de novo para a mesma pessoa (Configurações).'
  if (hasEnded && settings.again === 'after')
    return `Nada acontece: este fluxo só começa de novo ${settings.againAfterHours} h depois de terminar (Configurações).`
  return `Nada acontece: este fluxo começa quando ${startWords(trigger.data.start, names)}.`
}

const rowOf = (key: string, step: FlowStepTaken, context: StepContext): TryoutItem[] => {
  if (step.kind === 'message') {
    const { text, fileKind, fileName, typingSeconds } = step
    const file = fileKind === null ? null : { kind: fileKind, fileName }
    return [{ key, kind: 'own', text, file, typingSeconds }]
  }
  if (step.kind === 'kept') return [line(key, 'A mensagem fica guardada para a próxima pergunta.')]
  // The answer itself is already shown as the contact's message.
  if (step.kind === 'answered') {
    const { variable, value, answerType } = step
    const isStored = variable !== '' && variable !== 'resposta'
    if (value === undefined) return isStored ? [line(key, `Resposta guardada em “${variable}”.`)] : []
    const where = isStored ? `, guardado em “${variable}”` : ''
    return [line(key, `Entendido como “${shownAnswer(answerType, value)}”${where}.`)]
  }
  return [line(key, stepSentence(step, context))]
}

/** `played` is the number of inputs in the result; later ones are pending. `context.document` is the draft. */
export const tryoutItems = (
  inputs: readonly FlowTestInput[],
  played: { inputCount: number; result: FlowTestResult } | undefined,
  context: StepContext & { document: FlowDocument },
): TryoutItem[] => {
  const stepsAt = (at: number) => (played ? played.result.steps.filter((each) => each.at === at) : [])
  const items: TryoutItem[] = []
  let end: End | undefined
  const addSteps = (at: number) =>
    withoutImplied(stepsAt(at)).forEach(({ step }, number) => {
      items.push(...rowOf(`${at}-${number}`, step, context))
      if (step.kind === 'ended') end = step.reason
    })
  addSteps(0)
  inputs.forEach((input, index) => {
    const at = index + 1
    if (input.kind === 'message') items.push({ key: `${at}`, kind: 'contact', text: input.text })
    else if (input.kind === 'file') items.push({ key: `${at}`, kind: 'contact', text: '📷 Foto' })
    else if (input.kind === 'skip_time') items.push(line(`${at}`, 'O tempo passou.'))
    const isSilent = played !== undefined && at <= played.inputCount && stepsAt(at).length === 0
    const isWritten = input.kind === 'message' || input.kind === 'file'
    if (isSilent && isWritten) items.push(line(`${at}-none`, whyNothing(end, context, context.document), true))
    if (isSilent && !isWritten) items.push(line(`${at}-none`, 'Não havia nada a esperar.'))
    addSteps(at)
  })
  return items
}
