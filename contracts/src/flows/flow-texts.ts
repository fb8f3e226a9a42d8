import type { FlowDocument, FlowNode } from './flow-document.ts'
import type { FlowProblem } from './flow-problem.ts'
import { menuText } from './menu.ts'

/** Everything that a contact may read of a node. */
export const sentTexts = (node: FlowNode): readonly string[] => {
  switch (node.type) {
    case 'message':
      return node.data.enabled ? [node.data.message] : []
    case 'handover':
      return [node.data.message]
    case 'finish':
      return [node.data.message, node.data.thanks]
    case 'question':
      return [node.data.question, node.data.check?.again ?? '']
    case 'menu':
      return [menuText(node.data), node.data.notUnderstood]
    default:
      return []
  }
}

const bracketed = /\[([^[\]\n]{1,80})\]/g
const ofTheReader = /(?:^|\s)(?:seu|sua|seus|suas)\s/i

/** '[sua chave Pix]', '[link do seu catálogo]': what samples leave to be filled. Other brackets are text. */
export const gapsIn = (text: string): string[] =>
  Array.from(text.matchAll(bracketed), ([gap, inside = '']) => (ofTheReader.test(inside) ? gap : '')).filter(Boolean)

/** Of samples until 2026-11-27, which live on as drafts. The first two cannot be anybody's. */
const inventedFacts = [
  { text: '12.345.678/0001-90', severity: 'error' },
  { text: 'www.example.com', severity: 'error' },
  { text: 'Rua das Flores, 100', severity: 'warning' },
  { text: 'VOLTEI10', severity: 'warning' },
  { text: 'pelos Correios, em 5 a 9 dias', severity: 'warning' },
  { text: 'de segunda a sexta, das 8h às 18h', severity: 'warning' },
] as const

const closedText = /fora do hor[aá]rio|(?:estamos|est[aá]) fechad/i

const problemsIn = (text: string, nodeId: string): FlowProblem[] => [
  ...[...new Set(gapsIn(text))].map(
    (gap): FlowProblem => ({ kind: 'gap', severity: 'error', nodeId, sentence: `Falta preencher “${gap}” no texto.` }),
  ),
  ...inventedFacts
    .filter((fact) => text.includes(fact.text))
    .map((fact): FlowProblem => {
      const sentence = `“${fact.text}” veio do exemplo: troque pelo que vale para a sua empresa.`
      return { kind: 'invented_fact', severity: fact.severity, nodeId, sentence }
    }),
]

/** Limit of the report. */
const maxProblems = 200

export const checkTexts = ({ nodes }: FlowDocument): FlowProblem[] => {
  const found = nodes.flatMap((node) => sentTexts(node).flatMap((text) => problemsIn(text, node.id)))
  const knowsHours = nodes.some(
    ({ type, data }) =>
      (type === 'trigger' && data.start.kind === 'out_of_hours') || (type === 'condition' && data.test.kind === 'open'),
  )
  if (knowsHours) return found.slice(0, maxProblems)
  const closed = nodes.filter((node) => sentTexts(node).some((text) => closedText.test(text)))
  return [
    ...found,
    ...closed.map(({ id }): FlowProblem => {
      const sentence = 'O texto diz que está fora do horário, mas este fluxo responde também com a loja aberta.'
      return { kind: 'says_closed', severity: 'warning', nodeId: id, sentence }
    }),
  ].slice(0, maxProblems)
}

export const usesCompany = ({ nodes }: FlowDocument): string | undefined =>
  nodes.find((node) => sentTexts(node).some((text) => namesCompany(text)))?.id

/** The text has the company's name in it, as `{empresa}`. */
export const namesCompany = (text: string): boolean => /\{empresa\}/i.test(text)
