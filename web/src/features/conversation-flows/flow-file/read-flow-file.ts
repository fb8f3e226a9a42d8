import { type FlowDocument, flowFile } from '@prosa/contracts/flows/flow-document'
import { nodeAddress, schemaSentences } from './file-problems.ts'

const maximumFileBytes = 2 * 1024 * 1024

export interface ReadFlow {
  name: string
  document: FlowDocument
}

type Reading = { isOk: true; flow: ReadFlow } | { isOk: false; sentences: string[] }

const megabytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

const refuse = (...sentences: string[]): Reading => ({ isOk: false, sentences })

const formatOf = (raw: unknown): { format?: unknown; version?: unknown } =>
  typeof raw === 'object' && raw !== null ? raw : {}

const foreign = 'Este arquivo não é um fluxo exportado pelo Prosa. Escolha um que foi baixado em “Exportar”.'

/** Links refer to nodes by id, and the editor to notes, so ids must be unique. */
const repeatedIds = (raw: unknown, { nodes, notes = [] }: FlowDocument): string[] => {
  const first = new Map<string, string>()
  const named = [
    ...nodes.map(({ id }, index) => ({ id, address: nodeAddress(raw, index), short: `do passo ${index + 1}` })),
    ...notes.map(({ id }, index) => ({ id, address: `Nota ${index + 1}`, short: `da nota ${index + 1}` })),
  ]
  return named.flatMap(({ id, address, short }) => {
    const before = first.get(id)
    if (before === undefined) {
      first.set(id, short)
      return []
    }
    return [`${address}: tem o mesmo identificador ${before}.`]
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Untrusted input; the sentences locate each problem. */
export const flowInText = (text: string): Reading => {
  const raw = parsed(text)
  if (raw === undefined) return refuse('Este arquivo não pode ser lido como JSON: está incompleto ou é de outro tipo.')
  const { format, version } = formatOf(raw)
  if (format !== 'prosa-flow') return refuse(foreign)
  if (version !== 1) return refuse('Este arquivo foi exportado por outra versão do Prosa, que esta não conhece.')
  const checked = flowFile.safeParse(raw)
  if (!checked.success) return refuse(...schemaSentences(raw, checked.error.issues))
  const { name, document } = checked.data
  const repeated = repeatedIds(raw, document)
  return repeated.length > 0 ? refuse(...repeated) : { isOk: true, flow: { name, document } }
}

export const readFlowFile = async (file: File): Promise<Reading> => {
  if (file.size > maximumFileBytes)
    return refuse(`O arquivo tem ${megabytes.format(file.size / 1024 / 1024)} MB; um fluxo pode ter no máximo 2 MB.`)
  const text = await file.text().catch(() => undefined)
  return text === undefined ? refuse('O arquivo não pôde ser lido. Escolha-o de novo.') : flowInText(text)
}
