import { variablesOfCalculation } from '../values/answers/calculate.ts'
import { maximumTextLength } from '../values/lengths.ts'
import { plainText } from '../values/text/plain-text.ts'
import { canFail, faultOfExpression } from './calculation.ts'
import { checkRequest } from './check-request.ts'
import { checkCycles, checkUnanswered, targetsBySource } from './flow-cycles.ts'
import {
  type FlowDocument,
  type FlowNode,
  type FlowNodeOf,
  givenVariables,
  isAsking,
  maximumWaitSeconds,
  outputsOf,
  textsOf,
  variablePattern,
} from './flow-document.ts'
import type { FlowProblem } from './flow-problem.ts'
import { checkTexts, sentTexts } from './flow-texts.ts'
import { variablesOfRequest } from './request-template.ts'

type Kind = FlowProblem['kind']

const error = (kind: Kind, nodeId: string | null, sentence: string): FlowProblem => ({
  kind,
  severity: 'error',
  nodeId,
  sentence,
})
const warning = (kind: Kind, nodeId: string | null, sentence: string): FlowProblem => ({
  ...error(kind, nodeId, sentence),
  severity: 'warning',
})

const variable = /\{([a-z][a-z0-9_]{0,39})\}/gi

export const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(variable), ([, name = '']) => name.toLowerCase())

/** A whole number from 1 second to 30 days. */
export const delaySecondsOf = (delay: string): number | undefined => {
  const seconds = /^\d{1,7}$/.test(delay.trim()) ? Number(delay) : Number.NaN
  return seconds >= 1 && seconds <= maximumWaitSeconds ? seconds : undefined
}

const isTooLong = (text: string) => text.length > maximumTextLength
const tooLong = `A mensagem tem mais de ${maximumTextLength.toLocaleString('pt-BR')} caracteres, o máximo do WhatsApp.`

/** Also of a message that is turned off, since it can be turned on. */
const textsIn = (node: FlowNode): readonly string[] => (node.type === 'message' ? [node.data.message] : sentTexts(node))

const checkStart = ({ id, data: { start } }: FlowNodeOf<'trigger'>): FlowProblem[] => {
  if (start.kind === 'keyword' && start.words.every((word) => word.trim() === ''))
    return [error('trigger_incomplete', id, 'O gatilho não tem nenhuma palavra-chave.')]
  if (start.kind === 'label_set' && start.labelId === null)
    return [error('trigger_incomplete', id, 'Escolha a etiqueta que inicia o fluxo.')]
  return []
}

const checkCondition = ({ id, data: { test } }: FlowNodeOf<'condition'>): FlowProblem[] => {
  const isIncomplete =
    ((test.kind === 'equals' || test.kind === 'contains') &&
      (textsOf(test).length === 0 || textsOf(test).some((text) => text.trim() === ''))) ||
    (test.kind === 'matches' && test.pattern === '') ||
    (test.kind === 'label' && test.labelId === null)
  return isIncomplete ? [error('condition_incomplete', id, 'Falta dizer com o que a condição compara.')] : []
}

const badVariable = (nodeId: string) =>
  error(
    'bad_variable',
    nodeId,
    'Dê à resposta um nome só com letras minúsculas, números e “_”, que não seja nome, empresa nem resposta.',
  )

export const isVariable = (name: string): boolean =>
  variablePattern.test(name) && !(givenVariables as readonly string[]).includes(name)

const checkMenu = ({ id, data }: FlowNodeOf<'menu'>): FlowProblem[] => {
  const { text, options, variable, notUnderstood, attempts } = data
  if (text.trim() === '') return [error('menu_incomplete', id, 'O menu não tem texto.')]
  if (options.length < 2) return [error('menu_incomplete', id, 'Um menu tem de duas a dez opções.')]
  if (options.some(({ label }) => label.trim() === ''))
    return [error('menu_incomplete', id, 'Uma opção do menu está sem texto.')]
  const choosing = options.flatMap(({ label, words }) => [...new Set([label, ...words].map(plainText))])
  const twice = choosing.find((word, at) => choosing.indexOf(word) !== at)
  return [
    ...(attempts > 0 && notUnderstood.trim() === ''
      ? [error('menu_incomplete', id, 'Falta o texto para quem responde outra coisa.')]
      : []),
    ...(twice === undefined
      ? []
      : [error('menu_ambiguous', id, `Duas opções do menu são escolhidas por “${twice}”: mude uma delas.`)]),
    ...(variable === '' || isVariable(variable) ? [] : [badVariable(id)]),
  ]
}

const checkNode = (node: FlowNode): FlowProblem[] => {
  const { id } = node
  const long = textsIn(node).some(isTooLong) ? [error('message_too_long', id, tooLong)] : []
  switch (node.type) {
    case 'trigger':
      return checkStart(node)
    case 'message': {
      const { enabled, message, file } = node.data
      const isEmpty = enabled && message.trim() === '' && file === null
      return isEmpty ? [error('empty_message', id, 'A mensagem está vazia.')] : long
    }
    case 'delay':
      return delaySecondsOf(node.data.delay) === undefined
        ? [error('bad_delay', id, 'O tempo de espera vai de 1 segundo a 30 dias.')]
        : []
    case 'condition':
      return checkCondition(node)
    case 'question': {
      const { question, variable, check } = node.data
      const lacksAgain = check !== undefined && check.attempts > 0 && check.again.trim() === ''
      return [
        ...(question.trim() === '' ? [error('empty_question', id, 'A pergunta está vazia.')] : long),
        ...(lacksAgain ? [error('check_incomplete', id, 'Falta o texto para quem responde de outro jeito.')] : []),
        ...(isVariable(variable) ? [] : [badVariable(id)]),
      ]
    }
    case 'menu':
      return [...checkMenu(node), ...long]
    case 'request':
      return checkRequest(node, isVariable)
    case 'calculation': {
      const fault = faultOfExpression(node.data.expression)
      return [
        ...(fault === undefined ? [] : [error('calculation_incomplete', id, fault)]),
        ...(isVariable(node.data.variable) ? [] : [badVariable(id)]),
      ]
    }
    case 'label':
      return node.data.labelId === null ? [error('no_label', id, 'Escolha uma etiqueta.')] : []
    case 'flow':
      return node.data.flowId === null ? [error('no_flow', id, 'Escolha o fluxo seguinte.')] : []
    case 'handover':
    case 'finish':
      return long
  }
}

const checkTriggers = ({ nodes, links }: FlowDocument): FlowProblem[] => {
  const [first, ...others] = nodes.filter(({ type }) => type === 'trigger')
  if (!first) return [error('no_trigger', null, 'O fluxo não tem gatilho: nada o inicia.')]
  const leads = links.some(({ source }) => source === first.id)
  return [
    ...others.map(({ id }) => error('second_trigger', id, 'Um fluxo começa em um só gatilho: exclua este ou o outro.')),
    ...(leads ? [] : [error('trigger_leads_nowhere', first.id, 'O gatilho não leva a nenhum passo.')]),
  ]
}

const checkLinks = ({ nodes, links }: FlowDocument): FlowProblem[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const taken = new Set<string>()
  return links.flatMap((link) => {
    const [source, target] = [byId.get(link.source), byId.get(link.target)]
    if (!source || !target || !outputsOf(source).includes(link.sourceHandle))
      return [error('unknown_link', source?.id ?? null, 'Uma ligação não sai de uma saída ou não chega a um passo.')]
    if (target.type === 'trigger')
      return [error('link_into_trigger', target.id, 'Nenhum passo pode voltar ao gatilho.')]
    const output = `${link.source} ${link.sourceHandle}`
    if (taken.has(output))
      return [error('unknown_link', link.source, 'Uma saída leva a um só passo: exclua uma das ligações.')]
    taken.add(output)
    return []
  })
}

const reachedFrom = (ids: Iterable<string>, targets: ReadonlyMap<string, readonly string[]>): Set<string> => {
  const reached = new Set<string>(ids)
  for (const id of reached) for (const target of targets.get(id) ?? []) reached.add(target)
  return reached
}

const checkWays = ({ nodes, links }: FlowDocument): FlowProblem[] => {
  const targets = targetsBySource(links)
  const reached = reachedFrom(
    nodes.flatMap(({ id, type }) => (type === 'trigger' ? id : [])),
    targets,
  )
  const linked = new Set(links.map(({ source, sourceHandle }) => `${source} ${sourceHandle}`))
  return nodes.flatMap((node) => {
    const { id, type } = node
    if (type === 'trigger') return []
    if (!reached.has(id)) return [warning('unreachable', id, 'Nenhum caminho chega a este passo.')]
    if ((type === 'condition' || isAsking(node)) && !targets.has(id))
      return [warning('dead_end', id, 'O fluxo termina aqui, qualquer que seja a resposta.')]
    if (type === 'request' && !linked.has(`${id} failure`))
      return [warning('failure_leads_nowhere', id, 'Quando a requisição dá errado, o contato não recebe mais nada.')]
    if (type === 'calculation' && canFail(node) && !linked.has(`${id} failure`))
      return [warning('failure_leads_nowhere', id, 'Quando a conta não dá certo, o contato não recebe mais nada.')]
    if (type !== 'menu') return []
    return node.data.options
      .filter(({ output }) => !linked.has(`${id} ${output}`))
      .map(({ label }) => warning('option_leads_nowhere', id, `Quem escolhe “${label.trim()}” não recebe mais nada.`))
  })
}

/** Limits of the report. */
const maxUnknownOfNode = 20
const maxUnknownOfFlow = 200

/** Variables in what no contact reads. */
const namedBeside = (node: FlowNode): readonly string[] => {
  if (node.type === 'request') return variablesOfRequest(node.data)
  return node.type === 'calculation' ? (variablesOfCalculation(node.data.expression) ?? []) : []
}

/** Checks only the part of a text that can be sent. */
const checkVariables = ({ nodes }: FlowDocument, ofContacts: readonly string[]): FlowProblem[] => {
  const known = new Set<string>([...givenVariables, ...ofContacts])
  for (const node of nodes) {
    if (isAsking(node)) known.add(node.data.variable)
    if (node.type === 'calculation') known.add(node.data.variable)
    if (node.type === 'request') for (const { variable } of node.data.results) known.add(variable)
  }
  const found: FlowProblem[] = []
  for (const node of nodes) {
    if (found.length >= maxUnknownOfFlow) break
    const asked = node.type === 'condition' && 'variable' in node.data.test ? [node.data.test.variable] : []
    const sent = namedBeside(node)
    const without = node.type === 'calculation' ? 'a conta não dá certo sem ela' : 'o texto fica em branco nesse lugar'
    const named = [...textsIn(node).flatMap((text) => variablesIn(text.slice(0, maximumTextLength))), ...sent]
    const unknown = [...new Set([...named, ...asked])].filter((name) => !known.has(name))
    for (const name of unknown.slice(0, maxUnknownOfNode))
      found.push(warning('unknown_variable', node.id, `Nenhum passo guarda “${name}”: ${without}.`))
  }
  return found
}

/** Errors first. Only the server checks patterns. `ofContacts`: variables of the contacts' own fields. */
export const checkFlow = (document: FlowDocument, ofContacts: readonly string[] = []): FlowProblem[] => {
  const problems = [
    ...checkTriggers(document),
    ...checkLinks(document),
    ...document.nodes.flatMap(checkNode),
    ...checkCycles(document),
    ...checkUnanswered(document),
    ...checkWays(document),
    ...checkVariables(document, ofContacts),
    ...checkTexts(document),
  ]
  return problems.toSorted((one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning'))
}
