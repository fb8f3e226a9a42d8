import type { FlowDocument, FlowNode, FlowNodeOf, FlowSettings } from '@prosa/contracts/flows/flow-document'
import { durationWords, nodeName } from '@prosa/contracts/flows/node-name'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import { count, plural } from '../../../lib/format/format.ts'
import { type FlowNames, fileWords, flowWords, labelWords, startWords, testWords } from '../flow-words.ts'
import { outputName } from '../node-words.ts'

export interface DescribedField {
  label: string
  value: string
}

const onOrOff = (isOn: boolean) => (isOn ? 'Ativado' : 'Desativado')
export const orEmpty = (text: string) => (text.trim() === '' ? 'vazio' : text)

const againText = (text: string, attempts: number) =>
  attempts === 0 ? 'segue logo' : `${orEmpty(text)}, ${plural(attempts, 'vez', 'vezes')}`

const describeRequest = ({ data }: FlowNodeOf<'request'>): DescribedField[] => {
  const { title, method, url, headers, body, results } = data
  return [
    { label: 'Título', value: orEmpty(title) },
    { label: 'Requisição', value: `${method} ${orEmpty(url)}` },
    ...headers.map(({ name, value }) => ({ label: `Cabeçalho ${name}`, value: orEmpty(value) })),
    { label: 'Corpo', value: method === 'GET' ? 'não vai' : orEmpty(body) },
    ...results.map(({ path, variable }) => ({ label: `Guarda em ${variable}`, value: path || 'a resposta inteira' })),
  ]
}

const describeMenu = ({ data }: FlowNodeOf<'menu'>): DescribedField[] => {
  const { text, options, variable, notUnderstood, attempts, timeoutSeconds } = data
  return [
    { label: 'Texto', value: orEmpty(text) },
    ...options.map(({ label, words }, at) => ({
      label: `Opção ${at + 1}`,
      value: words.length === 0 ? orEmpty(label) : `${orEmpty(label)} (também: ${words.join(', ')})`,
    })),
    { label: 'Não entendi', value: againText(notUnderstood, attempts) },
    { label: 'Guarda a opção em', value: variable === '' ? 'nenhum lugar' : variable },
    { label: 'Espera até', value: timeoutSeconds === null ? 'o fluxo terminar' : durationWords(timeoutSeconds) },
  ]
}

const describeCalculation = ({ data }: FlowNodeOf<'calculation'>, names: FlowNames): DescribedField[] => {
  const { expression, variable, decimals, fieldId } = data
  const field = fieldId === null ? undefined : (names.field(fieldId) ?? 'um campo que foi excluído')
  return [
    { label: 'Conta', value: orEmpty(expression) },
    { label: 'Guarda em', value: orEmpty(variable) },
    { label: 'Casas decimais', value: decimals === null ? 'as que tiver' : String(decimals) },
    ...(field === undefined ? [] : [{ label: 'Guarda no contato', value: field }]),
  ]
}

/** Nodes with equal descriptions behave the same; coordinates are left out. */
export const describeNode = (node: FlowNode, names: FlowNames): DescribedField[] => {
  switch (node.type) {
    case 'trigger': {
      const { trigger, enabled, start } = node.data
      return [
        { label: 'Texto', value: orEmpty(trigger) },
        { label: 'Começa quando', value: startWords(start, names) },
        { label: 'Gatilho', value: onOrOff(enabled) },
      ]
    }
    case 'message': {
      const { title, message, enabled, file, typingSeconds } = node.data
      return [
        { label: 'Título', value: orEmpty(title) },
        { label: 'Mensagem', value: orEmpty(message) },
        { label: 'Arquivo', value: file === null ? 'nenhum' : `${fileWords(file)}, ${count(file.file.bytes)} bytes` },
        { label: 'Digitando', value: typingSeconds === 0 ? 'não aparece' : durationWords(typingSeconds) },
        { label: 'Envio', value: onOrOff(enabled) },
      ]
    }
    case 'delay': {
      const { delay, description } = node.data
      return [
        { label: 'Tempo', value: /^\d+$/.test(delay.trim()) ? durationWords(Number(delay)) : orEmpty(delay) },
        { label: 'Descrição', value: orEmpty(description) },
      ]
    }
    case 'condition':
      return [
        { label: 'Texto', value: orEmpty(node.data.condition) },
        { label: 'Se', value: testWords(node.data.test, names) },
      ]
    case 'question': {
      const { question, variable, timeoutSeconds, check } = node.data
      return [
        { label: 'Pergunta', value: orEmpty(question) },
        ...(check
          ? [
              { label: 'Tipo de resposta', value: answerTypeNames[check.type] },
              ...(check.fieldId
                ? [{ label: 'Guarda no contato', value: names.field(check.fieldId) ?? 'um campo que foi excluído' }]
                : []),
              { label: 'Não entendi', value: againText(check.again, check.attempts) },
            ]
          : []),
        { label: 'Guarda a resposta em', value: orEmpty(variable) },
        { label: 'Espera até', value: timeoutSeconds === null ? 'o fluxo terminar' : durationWords(timeoutSeconds) },
      ]
    }
    case 'menu':
      return describeMenu(node)
    case 'request':
      return describeRequest(node)
    case 'calculation':
      return describeCalculation(node, names)
    case 'label': {
      const { labelId, isLabelled } = node.data
      return [{ label: isLabelled ? 'Põe' : 'Tira', value: labelWords(labelId, names) }]
    }
    case 'handover':
      return [{ label: 'Mensagem', value: orEmpty(node.data.message) }]
    case 'finish':
      return [
        { label: 'Mensagem', value: orEmpty(node.data.message) },
        { label: 'A quem só agradece', value: orEmpty(node.data.thanks) },
      ]
    case 'flow':
      return [{ label: 'Segue para', value: flowWords(node.data.flowId, names) }]
  }
}

const againWords = ({ again, againAfterHours }: FlowSettings) => {
  if (again === 'always') return 'sempre que não estiver em andamento'
  return again === 'never' ? 'nunca' : `${plural(againAfterHours, 'hora', 'horas')} depois de terminar`
}

export const describeSettings = (settings: FlowSettings, names: FlowNames): DescribedField[] => {
  const lines = settings.connectionIds.map((id) => names.connection(id) ?? 'número removido')
  return [
    { label: 'Começa de novo para a mesma pessoa', value: againWords(settings) },
    { label: 'Termina depois de', value: `${plural(settings.silenceHours, 'hora', 'horas')} sem resposta` },
    { label: 'Números', value: lines.length === 0 ? 'todos' : lines.toSorted().join(', ') },
  ]
}

/** 'De Pergunta “Quer?” (Respondeu) para Condição “Se quer”' */
export const describeLink = (
  { source, target, sourceHandle }: FlowDocument['links'][number],
  nodes: readonly FlowNode[],
) => {
  const nameOf = (id: string) => {
    const node = nodes.find((each) => each.id === id)
    return node ? nodeName(node) : 'um passo que não existe'
  }
  const output =
    sourceHandle === null
      ? ''
      : ` (${outputName(
          sourceHandle,
          nodes.find(({ id }) => id === source),
        )})`
  return `De ${nameOf(source)}${output} para ${nameOf(target)}`
}

/** '12 passos e 14 ligações' */
export const sizeWords = ({ nodes, links }: FlowDocument): string =>
  `${plural(nodes.length, 'passo', 'passos')} e ${links.length === 1 ? '1 ligação' : `${count(links.length)} ligações`}`
