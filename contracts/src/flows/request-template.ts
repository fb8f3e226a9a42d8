import type { FlowNodeOf } from './flow-document.ts'

export type FlowRequest = FlowNodeOf<'request'>['data']

/** `{{segredo:nome}}`, or a variable. */
const placeholder = /\{\{segredo:([a-z][a-z0-9_]{0,39})\}\}|\{([a-z][a-z0-9_]{0,39})\}/gi

export interface RequestValues {
  variable(name: string): string
  secret(name: string): string
}

const textsOf = ({ method, url, headers, body }: FlowRequest): string[] => [
  url,
  ...headers.map(({ value }) => value),
  ...(method === 'GET' ? [] : [body]),
]

const namesIn = (request: FlowRequest, group: 1 | 2): string[] => {
  const found = textsOf(request).flatMap((text) => Array.from(text.matchAll(placeholder), (match) => match[group]))
  return [...new Set(found.flatMap((name) => name?.toLowerCase() ?? []))]
}

export const secretsOfRequest = (request: FlowRequest): string[] => namesIn(request, 1)
export const variablesOfRequest = (request: FlowRequest): string[] => namesIn(request, 2)

const filled = (template: string, { variable, secret }: RequestValues, escaped: (value: string) => string): string =>
  template.replace(placeholder, (_, secretName?: string, name?: string) =>
    escaped(secretName === undefined ? variable((name ?? '').toLowerCase()) : secret(secretName.toLowerCase())),
  )

/** Half a character (UTF-16) cannot be encoded. */
export const wellFormed = (value: string) => value.replace(/\p{Surrogate}/gu, '\ufffd')

const inUrl = (value: string) => encodeURIComponent(wellFormed(value))

/** Scheme, host and port. */
const originOf = (template: string): string => /^[^/?#]*\/\/[^/?#]*/.exec(template)?.[0] ?? ''

const isDotSegment = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment)

/** Undefined if it is no http address, if values would change its host, or lead out of its path ('..'). */
export const filledUrl = (template: string, values: RequestValues): URL | undefined => {
  const written = template.trim()
  const origin = originOf(written)
  if (origin === '' || /[{}@\\\s]/.test(origin)) return undefined
  const address = filled(written, values, inUrl)
  const path = address.slice(origin.length).split(/[?#]/)[0] ?? ''
  if (path.split(/[/\\]/).some(isDotSegment) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

/** Control characters are blanks. */
export const filledHeader = (template: string, values: RequestValues): string =>
  filled(template, values, wellFormed)
    .replace(/\p{Cc}/gu, ' ')
    .trim()

const inJson = (value: string) => JSON.stringify(wellFormed(value)).slice(1, -1)

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Where no quotes are around it: a number, true, false or null as such, other text with quotes. */
const asJson = (value: string) =>
  jsonNumber.test(value) || /^(true|false|null)$/.test(value) ? value : JSON.stringify(wellFormed(value))

/** An escaped character, a quote, a secret or a variable. */
const jsonToken = /\\.|"|\{\{segredo:([a-z][a-z0-9_]{0,39})\}\}|\{([a-z][a-z0-9_]{0,39})\}/gis

export const filledJson = (template: string, { variable, secret }: RequestValues): string => {
  let isText = false
  return template.replace(jsonToken, (token, secretName?: string, name?: string) => {
    if (token === '"') isText = !isText
    const value = secretName === undefined ? name && variable(name.toLowerCase()) : secret(secretName.toLowerCase())
    if (value === undefined) return token
    return isText ? inJson(value) : asJson(value)
  })
}

/** For checks: the template's own form. */
export const sampleValues: RequestValues = { variable: () => '0', secret: () => '0' }

export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const pathPart = /^(?:[^.[\]]{1,100}|\[\d{1,6}\])/
const maxDepth = 20

/** 'itens[0].nome' → ['itens', 0, 'nome']; undefined if it is none. '' is the whole reply. */
export const partsOfPath = (path: string): (string | number)[] | undefined => {
  const parts: (string | number)[] = []
  let rest = path.trim()
  while (rest !== '') {
    const part = pathPart.exec(rest)?.[0]
    if (part === undefined || parts.length >= maxDepth) return undefined
    parts.push(part.startsWith('[') ? Number(part.slice(1, -1)) : part)
    rest = rest.slice(part.length)
    if (rest.startsWith('.') && rest.length > 1 && rest[1] !== '[') rest = rest.slice(1)
    else if (rest !== '' && !rest.startsWith('[')) return undefined
  }
  return parts
}
