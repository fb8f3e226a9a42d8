import type { FlowNodeOf } from './flow-document.ts'
import type { FlowProblem } from './flow-problem.ts'
import { filledJson, filledUrl, isJson, partsOfPath, sampleValues } from './request-template.ts'

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/

/** Prosa's own, or of the connection. */
const reservedHeaders = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'idempotency-key', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

export const isHeaderName = (name: string): boolean => headerName.test(name) && !reservedHeaders.has(name.toLowerCase())

const faultOfHeader = (name: string): string | undefined => {
  if (!headerName.test(name)) return `“${name}” não é um nome de cabeçalho.`
  return reservedHeaders.has(name.toLowerCase()) ? `O cabeçalho “${name}” é do Prosa: exclua-o.` : undefined
}

/** Sentences, for the node's problems and the fields of its panel. */
export const requestFaults = (
  { method, url, headers, body, results }: FlowNodeOf<'request'>['data'],
  isVariable: (name: string) => boolean,
): string[] => {
  const found: (string | undefined)[] = []
  if (url.trim() === '') found.push('A requisição não tem endereço.')
  else if (!filledUrl(url, sampleValues))
    found.push('O endereço não é válido: comece por https:// e use variáveis só depois do domínio.')
  found.push(...headers.map(({ name }) => faultOfHeader(name)))
  const names = headers.map(({ name }) => name.toLowerCase())
  if (new Set(names).size < names.length) found.push('Dois cabeçalhos têm o mesmo nome.')
  if (method !== 'GET' && body.trim() !== '' && !isJson(filledJson(body, sampleValues)))
    found.push('O corpo não é um JSON válido.')
  for (const { path, variable } of results) {
    if (!partsOfPath(path)) found.push(`“${path}” não é um caminho na resposta: escreva como pedido.itens[0].nome.`)
    if (!isVariable(variable))
      found.push(
        'Dê a cada valor da resposta um nome só com letras minúsculas, números e “_”, que não seja nome, empresa nem resposta.',
      )
  }
  const variables = results.map(({ variable }) => variable)
  const twice = variables.find((name, at) => variables.indexOf(name) !== at)
  if (twice !== undefined) found.push(`Dois valores da resposta vão para “${twice}”.`)
  return [...new Set(found.filter((fault) => fault !== undefined))]
}

export const checkRequest = (
  { id, data }: FlowNodeOf<'request'>,
  isVariable: (name: string) => boolean,
): FlowProblem[] =>
  requestFaults(data, isVariable).map((sentence) => ({
    kind: 'request_incomplete',
    severity: 'error',
    nodeId: id,
    sentence,
  }))
