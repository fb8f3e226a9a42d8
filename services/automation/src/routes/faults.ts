import type { FlowDocument, FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { type FieldError, Refused } from '@prosa/kernel/http/problem'
import { invalidFields } from '@prosa/kernel/http/problem-reply'
import type { FastifyError } from 'fastify'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'

export const bodyLimitBytes = 2 * 1024 * 1024

/** As JSON: an event has 1 MiB, and encryption adds a third. */
export const maxDocumentBytes = 700_000

const maxFaults = 20

const settingNames: Readonly<Record<string, string>> = {
  again: 'quando pode começar de novo',
  againAfterHours: 'horas até começar de novo',
  silenceHours: 'horas de silêncio',
  connectionIds: 'conexões',
}

type Fault = FastifySchemaValidationError

const nodeNameAt = (body: unknown, index: number): string => {
  const { document } = (body ?? {}) as { document?: { nodes?: { type?: FlowNodeType }[] } }
  const type = document?.nodes?.[index]?.type
  return type !== undefined && Object.hasOwn(nodeTypeNames, type) ? nodeTypeNames[type] : 'de um tipo desconhecido'
}

const howMany = (value: unknown) => Number(value).toLocaleString('pt-BR')

/** Replaces the schemas' technical messages. */
const wrongIn = ({ keyword, params }: Fault): string => {
  if (keyword === 'too_big')
    return params.origin === 'string'
      ? `o texto passa de ${howMany(params.maximum)} caracteres`
      : `o máximo é ${howMany(params.maximum)}`
  if (keyword === 'too_small') return `o mínimo é ${howMany(params.minimum)}`
  return keyword === 'invalid_type'
    ? 'o valor falta ou é de outro tipo'
    : 'o valor não é nenhum dos que o Prosa conhece'
}

/** '/document/nodes/2/data/message' → 'Passo 3 (Mensagem): o texto passa de 100.000 caracteres (campo “message”).' */
const sentenceOf = (fault: Fault, body: unknown): string => {
  const [, , part, index, ...fields] = fault.instancePath.split('/')
  if (part === undefined) return 'Este arquivo não é de um fluxo do Prosa.'
  if (index === undefined)
    return fault.keyword === 'too_big'
      ? `Este fluxo tem passos, ligações ou notas demais: ${wrongIn(fault)}.`
      : `Este arquivo não é de um fluxo do Prosa: “${part}” falta ou é de outro tipo.`
  if (part === 'settings') return `Configurações, ${settingNames[index] ?? index}: ${wrongIn(fault)}.`
  const field = fields.filter((name) => name !== 'data').join('.')
  const wrong = `${wrongIn(fault)}${field && ` (campo “${field}”)`}.`
  const number = Number(index) + 1
  if (part === 'nodes') return `Passo ${number} (${nodeNameAt(body, Number(index))}): ${wrong}`
  return part === 'notes' ? `Nota ${number}: ${wrong}` : `Ligação ${number}: ${wrong}`
}

/** One sentence per fault, or that it is too large. */
export const aboutFlow = (error: FastifyError | Refused, body: unknown): Error => {
  if (error instanceof Refused) return error
  if (error.statusCode === 413) return new Refused('flow_too_large')
  const known = invalidFields(error)
  if (!known || !error.validation?.some(({ instancePath }) => instancePath.startsWith('/document'))) return error
  const errors = error.validation.slice(0, maxFaults).map((fault, index): FieldError => {
    const field = fault.instancePath.slice(1).replaceAll('/', '.')
    return fault.instancePath.startsWith('/document')
      ? { field, message: sentenceOf(fault, body) }
      : { field, message: known[index]?.message ?? '' }
  })
  return new Refused('invalid_request', errors)
}

export const requireSmall = (document: FlowDocument): void => {
  if (Buffer.byteLength(JSON.stringify(document)) > maxDocumentBytes) throw new Refused('flow_too_large')
}
