import {
  type AnswerCheck,
  type FlowDocument,
  type FlowNode,
  type FlowNodeOf,
  type FlowOutput,
  type FlowTest,
  outputsOf,
  textsOf,
} from '@prosa/contracts/flows/flow-document'
import { menuText } from '@prosa/contracts/flows/menu'
import { durationWords, nodeName } from '@prosa/contracts/flows/node-name'
import type { ContactField } from '@prosa/contracts/http/contact-details'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { calculate } from '@prosa/contracts/values/answers/calculate'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import { filledVariables } from '@prosa/contracts/values/text/filled-variables'
import { type FlowNames, flowWords, startWords, testWords } from '../flow-words.ts'
import { outputName } from '../node-words.ts'

type MessageFile = FlowNodeOf<'message'>['data']['file']

type Branch = NonNullable<FlowOutput>

interface Way {
  output: Branch
  name: string
}

const waysOf = (node: FlowNode): Way[] =>
  outputsOf(node).flatMap((output) => (output === null ? [] : { output, name: outputName(output, node) }))

export type PreviewItem = { key: string } & (
  | { kind: 'contact'; text: string }
  | { kind: 'business'; text: string; file: MessageFile }
  | { kind: 'line'; text: string }
  | { kind: 'choice'; nodeId: string; question: string; chosen: Branch; options: readonly Way[] }
)

/** Chosen output by branching node. */
export type Choices = Readonly<Record<string, Branch>>

/** An answer that gives this result; undefined if the test does not look at an answer. */
const exampleAnswer = (test: FlowTest, isTrue: boolean): string | undefined => {
  switch (test.kind) {
    case 'equals':
    case 'contains':
      return isTrue ? (textsOf(test)[0] ?? '') : 'Outra coisa'
    case 'matches':
      return isTrue ? 'Uma resposta que segue o padrão' : 'Outra coisa'
    case 'number': {
      const step = test.comparison === 'below' ? -1 : 1
      const [other, same] = [test.value + step, test.value]
      return String((test.comparison === 'equal') === isTrue ? same : other)
    }
    case 'yes':
      return isTrue ? 'Sim' : 'Não'
    case 'no':
      return isTrue ? 'Não' : 'Sim'
    case 'open':
    case 'label':
      return undefined
  }
}

/** The text follows later, from the condition that tests it. */
interface Written {
  text: string
}

/** As texts show them. */
const examples: Record<AnswerType, string> = {
  text: 'Uma resposta',
  number: '3',
  email: 'ana@exemplo.com.br',
  phone: '(11) 98888-7777',
  document: '529.982.247-25',
  date: '27/11/2026',
  yes_no: 'sim',
  file: 'Foto',
}

const unanswered = (variable: string) => (variable.includes('nome') ? 'Ana Souza' : 'Uma resposta')

const withValues = (text: string, values: ReadonlyMap<string, Written>): string =>
  filledVariables(text, Object.fromEntries([...values].map(([name, { text: value }]) => [name, value])))

interface Walk {
  document: FlowDocument
  names: FlowNames
  /** Built at the end, once the contact's texts are known. */
  rows: (() => PreviewItem)[]
  values: Map<string, Written>
  lastVariable: string
}

const addLine = ({ rows }: Walk, key: string, text: string) => rows.push(() => ({ key, kind: 'line', text }))

const addBusiness = (walk: Walk, key: string, template: string, file: MessageFile = null) => {
  const values = new Map(walk.values)
  walk.rows.push(() => ({ key, kind: 'business', text: withValues(template, values), file }))
}

const addContact = (walk: Walk, key: string, text: string, variable: string) => {
  const written = { text }
  walk.values.set('resposta', written)
  if (variable !== '') walk.values.set(variable, written)
  walk.lastVariable = variable
  walk.rows.push(() => ({ key, kind: 'contact', text: written.text }))
}

/** Chooses the earlier answer so that the condition has this result. */
const assume = ({ values, lastVariable }: Walk, test: FlowTest, isTrue: boolean) => {
  const example = exampleAnswer(test, isTrue)
  const looksAtLast = 'variable' in test && (test.variable === 'resposta' || test.variable === lastVariable)
  const last = values.get('resposta')
  if (example !== undefined && looksAtLast && last) last.text = example
}

const targetOf = ({ links }: FlowDocument, nodeId: string, output: FlowOutput) =>
  links.find(({ source, sourceHandle }) => source === nodeId && sourceHandle === output)?.target

const begin = (walk: Walk, { id, data: { start } }: FlowNodeOf<'trigger'>) => {
  addLine(walk, id, `Começa quando ${startWords(start, walk.names)}.`)
  if (start.kind === 'label_set') return
  addContact(walk, `${id}-text`, start.kind === 'keyword' ? (start.words[0] ?? 'Oi') : 'Oi', '')
}

/** Answers and questions until the flow gives up; repeated once, whatever the number of attempts. */
const misunderstand = (walk: Walk, id: string, check: Pick<AnswerCheck, 'again' | 'attempts'> | undefined) => {
  addContact(walk, `${id}-answer`, 'Outra coisa', '')
  if (!check || check.attempts === 0) return
  addBusiness(walk, `${id}-again`, check.again)
  addContact(walk, `${id}-other`, 'Mais outra coisa', '')
}

const ask = (walk: Walk, node: FlowNodeOf<'question'>, output: Branch = 'answer') => {
  const { id, data } = node
  const { question, variable, timeoutSeconds, check } = data
  addBusiness(walk, id, question)
  if (check || timeoutSeconds !== null || targetOf(walk.document, id, 'timeout') !== undefined)
    walk.rows.push(() => ({
      key: `${id}-choice`,
      kind: 'choice',
      nodeId: id,
      question: check ? 'Como o contato responde?' : 'O contato responde?',
      chosen: output,
      options: waysOf(node),
    }))
  if (output === 'answer')
    addContact(walk, `${id}-answer`, check ? examples[check.type] : unanswered(variable), variable)
  else if (output === 'not_understood') misunderstand(walk, id, check)
  else if (timeoutSeconds !== null) addLine(walk, `${id}-timeout`, `Sem resposta por ${durationWords(timeoutSeconds)}.`)
  return output
}

const decide = (walk: Walk, node: FlowNodeOf<'condition'>, wanted: Branch | undefined) => {
  const { id, data } = node
  const isLinked = (output: FlowOutput) => targetOf(walk.document, id, output) !== undefined
  const chosen = wanted ?? (isLinked('true') || !isLinked('false') ? 'true' : 'false')
  assume(walk, data.test, chosen === 'true')
  const question = data.condition.trim() || `Se ${testWords(data.test, walk.names)}`
  walk.rows.push(() => ({ key: id, kind: 'choice', nodeId: id, question, chosen, options: waysOf(node) }))
  return chosen
}

const chooseOption = (walk: Walk, node: FlowNodeOf<'menu'>, wanted: Branch | undefined) => {
  const { id, data } = node
  const { options, variable, notUnderstood, attempts, timeoutSeconds } = data
  const chosen = wanted ?? options[0]?.output ?? 'not_understood'
  addBusiness(walk, id, menuText(data))
  walk.rows.push(() => ({
    key: `${id}-choice`,
    kind: 'choice',
    nodeId: id,
    question: 'O que o contato escolhe?',
    chosen,
    options: waysOf(node),
  }))
  const at = options.findIndex(({ output }) => output === chosen)
  const option = options[at]
  if (option) {
    addContact(walk, `${id}-answer`, String(at + 1), '')
    if (variable !== '') walk.values.set(variable, { text: option.label })
  } else if (chosen === 'timeout') {
    if (timeoutSeconds !== null) addLine(walk, `${id}-timeout`, `Sem resposta por ${durationWords(timeoutSeconds)}.`)
  } else {
    misunderstand(walk, id, { again: notUnderstood, attempts })
  }
  return chosen
}

/** Nothing is sent: values of the reply are their names. */
const request = (walk: Walk, node: FlowNodeOf<'request'>, chosen: Branch = 'success') => {
  const { id, data } = node
  walk.rows.push(() => ({
    key: `${id}-choice`,
    kind: 'choice',
    nodeId: id,
    question: `${nodeName(node)} dá certo?`,
    chosen,
    options: waysOf(node),
  }))
  if (chosen === 'success')
    for (const { variable } of data.results) walk.values.set(variable, { text: `(${variable})` })
  return chosen
}

/** With the examples of the preview; where they are no numbers, the result is its name. */
const calculation = (walk: Walk, node: FlowNodeOf<'calculation'>, chosen: Branch = 'success') => {
  const { id, data } = node
  walk.rows.push(() => ({
    ...{ key: `${id}-choice`, kind: 'choice', nodeId: id, chosen, options: waysOf(node) },
    question: `${nodeName(node)} dá certo?`,
  }))
  if (chosen !== 'success') return chosen
  const values = Object.fromEntries([...walk.values].map(([name, { text }]) => [name, text]))
  const found = calculate(data.expression, values, data.decimals)
  const text = 'value' in found ? shownAnswer('number', found.value) : `(${data.variable})`
  walk.values.set(data.variable, { text })
  return chosen
}

const addTyped = (walk: Walk, { id, data: { message, file, typingSeconds } }: FlowNodeOf<'message'>) => {
  if (typingSeconds > 0) addLine(walk, `${id}-typing`, `digitando… por ${durationWords(typingSeconds)}`)
  addBusiness(walk, id, message, file)
}

/** Returns the output to follow; undefined at the end of the conversation. */
const take = (walk: Walk, node: FlowNode, wanted: Branch | undefined): FlowOutput | undefined => {
  switch (node.type) {
    case 'trigger':
      begin(walk, node)
      return null
    case 'message':
      if (node.data.enabled) addTyped(walk, node)
      return null
    case 'delay':
      addLine(walk, node.id, `Depois de ${durationWords(Number(node.data.delay) || 0)}`)
      return null
    case 'label':
      return null
    case 'question':
      return ask(walk, node, wanted)
    case 'menu':
      return chooseOption(walk, node, wanted)
    case 'request':
      return request(walk, node, wanted)
    case 'calculation':
      return calculation(walk, node, wanted)
    case 'condition':
      return decide(walk, node, wanted)
    case 'handover':
      if (node.data.message.trim() !== '') addBusiness(walk, node.id, node.data.message)
      addLine(walk, `${node.id}-end`, 'Daqui em diante uma pessoa responde.')
      return undefined
    case 'finish':
      if (node.data.message.trim() !== '') addBusiness(walk, node.id, node.data.message)
      addLine(walk, `${node.id}-end`, 'A conversa fica resolvida.')
      return undefined
    case 'flow':
      addLine(walk, node.id, `Daqui em diante segue ${flowWords(node.data.flowId, walk.names)}.`)
      return undefined
  }
}

/** Follows the chosen outputs, elsewhere 'true' and 'answer'. Answers are made up to match. Empty without a trigger. */
export const previewConversation = (
  document: FlowDocument,
  choices: Choices,
  names: FlowNames,
  company: string,
  fields: readonly Pick<ContactField, 'variable' | 'type'>[] = [],
): PreviewItem[] => {
  const values = new Map([
    // WhatsApp's profile has the whole name; flows write the first.
    ['nome', { text: 'Ana' }],
    ['empresa', { text: company }],
    ...fields.map(({ variable, type }) => [variable, { text: examples[type] }] as const),
  ])
  const walk: Walk = { document, names, rows: [], values, lastVariable: '' }
  const byId = new Map(document.nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  let node = document.nodes.find(({ type }) => type === 'trigger')
  while (node) {
    if (seen.has(node.id)) {
      addLine(walk, `again-${node.id}`, `A conversa volta a ${nodeName(node)}.`)
      break
    }
    seen.add(node.id)
    const output = take(walk, node, choices[node.id])
    if (output === undefined) break
    node = byId.get(targetOf(document, node.id, output) ?? '')
    if (!node) addLine(walk, 'end', 'Fim da conversa.')
  }
  return walk.rows.map((row) => row())
}
