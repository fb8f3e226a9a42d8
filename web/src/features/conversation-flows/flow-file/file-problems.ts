import type { FlowNodeType, flowFile } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { count } from '../../../lib/format/format.ts'

type Issue = NonNullable<ReturnType<typeof flowFile.safeParse>['error']>['issues'][number]

/** Fields without an entry keep their name in the file. */
const fieldNames: Record<string, string> = {
  name: 'nome',
  nodes: 'passos',
  links: 'ligações',
  notes: 'notas',
  text: 'texto',
  settings: 'configurações',
  type: 'tipo',
  position: 'posição',
  x: 'posição',
  y: 'posição',
  trigger: 'nome do gatilho',
  start: 'início',
  words: 'palavras-chave',
  message: 'texto',
  title: 'título',
  file: 'arquivo',
  typingSeconds: 'tempo de “digitando…”',
  delay: 'tempo de espera',
  description: 'descrição',
  condition: 'descrição',
  test: 'comparação',
  pattern: 'padrão',
  value: 'valor',
  question: 'pergunta',
  variable: 'nome da resposta',
  timeoutSeconds: 'prazo da resposta',
  labelId: 'etiqueta',
  flowId: 'fluxo seguinte',
  source: 'passo de origem',
  target: 'passo de destino',
  sourceHandle: 'saída',
  again: 'recomeço',
  againAfterHours: 'horas até recomeçar',
  silenceHours: 'horas de silêncio',
  connectionIds: 'números',
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  )

const isNodeType = (type: unknown): type is FlowNodeType =>
  typeof type === 'string' && Object.hasOwn(nodeTypeNames, type)

/** 'Passo 3 (Mensagem)', in the order of the file; without the type if it is unknown. */
export const nodeAddress = (raw: unknown, index: number): string => {
  const type = valueAt(raw, ['document', 'nodes', index, 'type'])
  return isNodeType(type) ? `Passo ${index + 1} (${nodeTypeNames[type]})` : `Passo ${index + 1}`
}

const placeOf = (raw: unknown, [, part, index]: readonly PropertyKey[]): string => {
  if (part === 'nodes' && typeof index === 'number') return nodeAddress(raw, index)
  if (part === 'links' && typeof index === 'number') return `Ligação ${index + 1}`
  if (part === 'notes' && typeof index === 'number') return `Nota ${index + 1}`
  return part === 'settings' ? 'Configurações' : 'Fluxo'
}

const fieldOf = (path: readonly PropertyKey[]): string => {
  const named = path.findLast((key) => typeof key === 'string') ?? 'arquivo'
  return `o campo “${fieldNames[String(named)] ?? String(named)}”`
}

const tooBig = (field: string, issue: Extract<Issue, { code: 'too_big' }>) => {
  const max = count(Number(issue.maximum))
  if (issue.origin === 'array') return `${field} tem mais de ${max} itens.`
  return issue.origin === 'string' ? `${field} tem mais de ${max} caracteres.` : `${field} passa de ${max}.`
}

const tooSmall = (field: string, issue: Extract<Issue, { code: 'too_small' }>) =>
  issue.origin === 'string' ? `${field} está vazio.` : `${field} fica abaixo de ${count(Number(issue.minimum))}.`

const whatIsWrong = (raw: unknown, issue: Issue): string => {
  const field = fieldOf(issue.path)
  const isNodeOfNoType = issue.path[1] === 'nodes' && issue.path.length === 4 && issue.path[3] === 'type'
  if (isNodeOfNoType) return 'este tipo de passo não existe no Prosa.'
  if (valueAt(raw, issue.path) === undefined) return `falta ${field}.`
  if (issue.code === 'too_big') return tooBig(field, issue)
  if (issue.code === 'too_small') return tooSmall(field, issue)
  return `${field} tem um valor que o Prosa não conhece.`
}

const maxSentences = 8

/** At most eight sentences; `raw` is the parsed JSON of the file. */
export const schemaSentences = (raw: unknown, issues: readonly Issue[]): string[] => {
  const sentences = [...new Set(issues.map((issue) => `${placeOf(raw, issue.path)}: ${whatIsWrong(raw, issue)}`))]
  const others = sentences.length - maxSentences
  if (others <= 0) return sentences
  return [
    ...sentences.slice(0, maxSentences),
    others === 1 ? 'E mais 1 problema.' : `E mais ${count(others)} problemas.`,
  ]
}
