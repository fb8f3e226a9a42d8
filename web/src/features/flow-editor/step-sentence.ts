import { faultWords } from '@prosa/contracts/flows/calculation'
import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import { nodeName, quoted } from '@prosa/contracts/flows/node-name'
import { failureWords } from '@prosa/contracts/flows/request'
import type { FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import { count, dayAndTime, plural } from '../../lib/format/format.ts'
import { endReasonSentences, type FlowNames, fileWords, flowWords, labelWords } from './flow-words.ts'
import { outputName } from './node-words.ts'

/** `document` is the version that ran; undefined while unknown. */
export interface StepContext {
  document: FlowDocument | undefined
  names: FlowNames
  /** Milliseconds since 1970. */
  now: number
}

const nodeOf = (step: FlowStepTaken, document: FlowDocument | undefined): FlowNode | undefined =>
  'nodeId' in step ? document?.nodes.find(({ id }) => id === step.nodeId) : undefined

const isSaying = (step: FlowStepTaken | undefined, nodeId: string) => step?.kind === 'message' && step.nodeId === nodeId

/** Drops 'passed' if the node also sent, asked or set something; keeps it for a message that was not sent. */
export const withoutImplied = <T extends { step: FlowStepTaken }>(entries: readonly T[]): T[] =>
  entries.filter(({ step }, index) => {
    if (step.kind !== 'passed' || step.skipped) return true
    if (step.type === 'condition' || step.type === 'delay') return true
    if (step.type === 'request' || step.type === 'calculation') return false
    if (step.type === 'question' || step.type === 'menu')
      return step.output === 'timeout' || step.output === 'not_understood'
    return step.type === 'message' && !isSaying(entries[index - 1]?.step, step.nodeId)
  })

const passedSentence = (step: FlowStepTaken & { kind: 'passed' }, node: FlowNode | undefined): string => {
  if (step.skipped === 'label_gone') return 'A etiqueta deste passo foi excluída: nada mudou no contato.'
  if (step.type === 'condition') return `${node ? nodeName(node) : 'Condição'}: ${outputName(step.output, node)}.`
  if (step.type === 'delay') return 'A espera terminou.'
  if (step.output === 'not_understood')
    return step.type === 'menu' ? 'A resposta não era nenhuma das opções.' : 'A resposta não serviu.'
  if (step.type === 'question' || step.type === 'menu')
    return step.output === 'timeout' ? 'O tempo para responder acabou.' : 'A pergunta foi respondida.'
  if (node?.type === 'message' && !node.data.enabled) return `${nodeName(node)} está desativada e foi pulada.`
  if (step.type === 'message') return `${node ? nodeName(node) : 'Uma mensagem'} foi pulada.`
  return node ? `Passou por ${nodeName(node)}.` : 'Passou por um passo que não existe mais.'
}

const messageSentence = ({ text, fileKind, fileName }: FlowStepTaken & { kind: 'message' }): string => {
  const what = fileKind === null ? 'Mensagem' : fileWords({ kind: fileKind, fileName })
  return text.trim() === '' ? `${what}.` : `${what}: ${quoted(text, 300)}`
}

const answeredSentence = ({ text, variable, value, answerType }: FlowStepTaken & { kind: 'answered' }): string => {
  const answered = `O contato respondeu ${quoted(text, 300)}`
  if (answerType && value !== undefined)
    return `${answered}, guardado em ${quoted(variable)} como ${quoted(shownAnswer(answerType, value), 300)}.`
  if (value !== undefined) return `${answered} e escolheu ${quoted(value)}.`
  return variable === 'resposta' ? `${answered}.` : `${answered}, guardado em ${quoted(variable)}.`
}

const repliedSentence = ({
  status,
  failure,
  durationMs,
  attempts,
  values,
}: FlowStepTaken & { kind: 'replied' }): string => {
  const went =
    failure === null
      ? `A requisição deu certo (${status})`
      : `A requisição deu errado: ${failureWords(failure, status)}`
  const stored = Object.entries(values).map(([name, value]) => `${quoted(value, 100)} em ${quoted(name)}`)
  const tried = attempts > 1 ? `, ${plural(attempts, 'tentativa', 'tentativas')}` : ''
  return `${went}, ${count(durationMs)} ms${tried}.${stored.length === 0 ? '' : ` Guardou ${stored.join(', ')}.`}`
}

/** Worded for both real runs and tests. */
export const stepSentence = (step: FlowStepTaken, { document, names, now }: StepContext): string => {
  switch (step.kind) {
    case 'started':
      return 'O fluxo começou.'
    case 'passed':
      return passedSentence(step, nodeOf(step, document))
    case 'message':
      return messageSentence(step)
    case 'label': {
      const label = labelWords(step.labelId, names)
      return step.isLabelled ? `Pôs ${label} no contato.` : `Tirou ${label} do contato.`
    }
    case 'field':
      return `Guardou ${quoted(shownAnswer(step.answerType, step.value), 300)} num campo do contato.`
    case 'delay':
      return `Espera até ${dayAndTime(step.until, now)}.`
    case 'asked':
      return `Espera a resposta do contato, no máximo até ${dayAndTime(step.until, now)}.`
    case 'answered':
      return answeredSentence(step)
    case 'requested':
      return `Fez uma requisição e espera a resposta até ${dayAndTime(step.until, now)}.`
    case 'replied':
      return repliedSentence(step)
    case 'calculated':
      return step.value === null
        ? `A conta não deu certo: ${faultWords(step.fault ?? 'syntax', step.about)}.`
        : `Calculou ${quoted(step.value)}, guardado em ${quoted(step.variable)}.`
    case 'kept':
      return `O contato escreveu ${quoted(step.text, 300)}: fica guardado para a próxima pergunta.`
    case 'ended':
      return step.reason === 'went_on' && step.flowId !== null
        ? `A conversa seguiu para ${flowWords(step.flowId, names)}.`
        : endReasonSentences[step.reason]
  }
}
