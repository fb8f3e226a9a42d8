import {
  type FlowNode,
  type FlowNodeType,
  type FlowOutput,
  type FlowStart,
  type FlowTest,
  textsOf,
} from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames, quoted } from '@prosa/contracts/flows/node-name'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import { plural } from '../../lib/format/format.ts'

export const nodeTypes = Object.keys(nodeTypeNames) as FlowNodeType[]
export const isNodeType = (text: string): text is FlowNodeType => Object.hasOwn(nodeTypeNames, text)

/** Drag data type; the value is the type of the new node. */
export const nodeDragType = 'application/x-prosa-step'

const outputNames: Record<NonNullable<FlowOutput> | 'next', string> = {
  true: 'Verdadeiro',
  false: 'Falso',
  answer: 'Respondeu',
  timeout: 'Não respondeu',
  not_understood: 'Não entendi',
  option_1: 'Opção 1',
  option_2: 'Opção 2',
  option_3: 'Opção 3',
  option_4: 'Opção 4',
  option_5: 'Opção 5',
  option_6: 'Opção 6',
  option_7: 'Opção 7',
  option_8: 'Opção 8',
  option_9: 'Opção 9',
  option_10: 'Opção 10',
  success: 'Deu certo',
  failure: 'Deu errado',
  next: 'Depois',
}
/** 'Verdadeiro' for `true`; 'Depois' for a node with one output; of a menu, the option's label. */
export const outputName = (output: FlowOutput, node?: FlowNode): string => {
  const option = node?.type === 'menu' ? node.data.options.find((each) => each.output === output) : undefined
  return option?.label.trim() || outputNames[output ?? 'next']
}

export const startNames: Record<FlowStart['kind'], string> = {
  any_message: 'Qualquer mensagem',
  keyword: 'Palavra-chave',
  first_contact: 'Primeiro contato',
  out_of_hours: 'Fora do horário',
  label_set: 'Etiqueta colocada',
}

export const testNames: Record<FlowTest['kind'], string> = {
  equals: 'A resposta é igual a',
  contains: 'A resposta contém',
  matches: 'A resposta segue um padrão',
  number: 'A resposta é um número',
  yes: 'A resposta é sim',
  no: 'A resposta é não',
  open: 'A empresa está aberta',
  label: 'O contato tem a etiqueta',
}

const units = [
  { seconds: 86_400, one: 'dia', many: 'dias' },
  { seconds: 3600, one: 'hora', many: 'horas' },
  { seconds: 60, one: 'minuto', many: 'minutos' },
  { seconds: 1, one: 'segundo', many: 'segundos' },
] as const

export const timeUnits = units.toReversed()

/** The largest unit that divides the time, in seconds. */
export const unitOf = (seconds: number): number =>
  units.find((unit) => seconds > 0 && seconds % unit.seconds === 0)?.seconds ?? 1

/** 7200 → '2 horas' */
export const duration = (seconds: number): string => {
  const unit = units.find((one) => one.seconds === unitOf(seconds)) ?? units[3]
  return plural(seconds / unit.seconds, unit.one, unit.many)
}

const startSentence = (start: FlowStart): string => {
  if (start.kind !== 'keyword') return startNames[start.kind]
  return start.words.length === 0 ? startNames.keyword : start.words.map((word) => `“${word}”`).join(', ')
}

const numberTests = { equal: 'igual a', above: 'acima de', below: 'abaixo de' } as const

const listFormat = new Intl.ListFormat('pt-BR', { type: 'disjunction' })
/** '“bolo”, “torta” ou “doce”' */
export const listed = (words: readonly string[]) => listFormat.format(words.map((word) => quoted(word)))

const testSentence = (test: FlowTest): string => {
  switch (test.kind) {
    case 'equals':
    case 'contains':
      return `${testNames[test.kind]} ${listed(textsOf(test))}`
    case 'matches':
      return `${testNames.matches}: ${test.pattern}`
    case 'number':
      return `A resposta é um número ${numberTests[test.comparison]} ${test.value.toLocaleString('pt-BR')}`
    default:
      return testNames[test.kind]
  }
}

export interface Named {
  label: (id: string) => string | undefined
  flow: (id: string) => string | undefined
}

/** The first line is the text of the specification. */
export const nodeTexts = (node: FlowNode, named: Named): { text: string; detail?: string | undefined } => {
  switch (node.type) {
    case 'trigger':
      return { text: node.data.trigger, detail: startSentence(node.data.start) }
    case 'message': {
      const { message, title, file } = node.data
      const text = message.trim() === '' && file ? file.fileName : message
      return { text: text.trim() === '' ? 'Sem texto' : text, detail: title || file?.fileName }
    }
    case 'delay': {
      const seconds = Number(node.data.delay)
      const time = Number.isInteger(seconds) && seconds > 0 ? duration(seconds) : 'Tempo inválido'
      return { text: time, detail: node.data.description }
    }
    case 'condition':
      return { text: node.data.condition || 'Se a condição for verdadeira...', detail: testSentence(node.data.test) }
    case 'question':
      return {
        text: node.data.question.trim() === '' ? 'Sem texto' : node.data.question,
        detail: node.data.check
          ? `${answerTypeNames[node.data.check.type]}, em {${node.data.variable}}`
          : `Guarda em {${node.data.variable}}`,
      }
    case 'menu': {
      const { text, options } = node.data
      return { text: text.trim() === '' ? 'Sem texto' : text, detail: plural(options.length, 'opção', 'opções') }
    }
    case 'request': {
      const { title, method, url, results } = node.data
      const address = url.trim() === '' ? 'Sem endereço' : `${method} ${url}`
      const stores = results.map(({ variable }) => `{${variable}}`).join(', ')
      return title.trim() === ''
        ? { text: address, detail: stores === '' ? undefined : `Guarda ${stores}` }
        : { text: title, detail: address }
    }
    case 'calculation': {
      const { expression, variable } = node.data
      const text = expression.trim() === '' ? 'Sem conta' : `${variable} = ${expression.trim()}`
      return { text, detail: `Guarda em {${variable}}` }
    }
    case 'label': {
      const name = node.data.labelId === null ? undefined : (named.label(node.data.labelId) ?? 'Etiqueta excluída')
      return { text: name ?? 'Nenhuma etiqueta escolhida', detail: node.data.isLabelled ? 'Colocar' : 'Tirar' }
    }
    case 'handover':
      return { text: node.data.message.trim() || 'Passa a conversa para um atendente' }
    case 'finish':
      return { text: node.data.message.trim() || 'A conversa sai da fila, como resolvida' }
    case 'flow': {
      const name = node.data.flowId === null ? undefined : (named.flow(node.data.flowId) ?? 'Fluxo excluído')
      return { text: name ?? 'Nenhum fluxo escolhido', detail: 'Continua em outro fluxo' }
    }
  }
}

/** A disabled node is skipped; a disabled trigger starts nothing. */
export const isOff = (node: FlowNode): boolean =>
  (node.type === 'trigger' || node.type === 'message') && !node.data.enabled

/** 'Mensagem: Olá!' */
export const nodeTitle = (node: FlowNode, named: Named): string => {
  const { text } = nodeTexts(node, named)
  const line = text.split('\n', 1)[0] ?? ''
  return `${nodeTypeNames[node.type]}: ${line.length > 60 ? `${line.slice(0, 59)}…` : line}`
}
