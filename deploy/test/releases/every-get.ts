import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { notBuiltYetHeader } from '@prosa/contracts/http/problem'
import type { Visitor } from '../visitor.ts'

interface Answer {
  status: number
  body: unknown
  /** Read models that are not complete yet. */
  notBuiltYet?: string
}

export type Answers = Record<string, Answer>

const asArray: readonly Endpoint[] = endpoints
const everyGet: readonly Endpoint[] = asArray.filter(({ method }) => method === 'GET')

const queries: Record<string, readonly string[]> = {
  '/api/whatsapp/search': ['q=bolo', 'q=orcamento', 'q=ana'],
  '/api/whatsapp/contacts': ['', 'status=waiting', 'status=attending', 'status=resolved', 'search=ana'],
  '/api/admin/users': ['', 'search=example'],
}

const sources: Record<string, (answers: Answers) => unknown[]> = {
  '/api/whatsapp/qr': (answers) => valuesOf('id', answers['/api/whatsapp/connections']?.body),
  '/api/whatsapp/media': (answers) => answersTo('/messages', answers).flatMap((body) => valuesOf('id', mediaIn(body))),
  '/api/profile-photos': (answers) =>
    valuesOf('profileImageUrl', answers['/api/auth/user']?.body).map((url) =>
      String(url ?? '')
        .split('/')
        .at(-1),
    ),
  '/api/flow-runs': (answers) => answersTo('/runs', answers).flatMap((body) => valuesOf('id', body)),
  '/api/r': () => [],
}
const answersTo = (ending: string, answers: Answers): unknown[] =>
  Object.entries(answers).flatMap(([path, { body }]) => (path.endsWith(ending) ? [body] : []))
const mediaIn = (body: unknown): unknown[] => (Array.isArray(body) ? body.map((each) => each?.media) : [])

const enough = 3

const valuesOf = (field: string, body: unknown): unknown[] => {
  if (Array.isArray(body)) return body.flatMap((each) => valuesOf(field, each))
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => (name === field ? [value] : valuesOf(field, value)))
}

const textsOf = (values: readonly unknown[]) =>
  [...new Set(values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String))].filter(
    Boolean,
  )

const pathsOf = ({ path }: Endpoint, answers: Answers, known: readonly string[] = []): string[] => {
  const [prefix = '', name, ...rest] = path.split(/\/:(\w+)/)
  if (name === undefined) return (queries[path] ?? ['']).map((query) => (query ? `${path}?${query}` : path))
  const own = sources[prefix]?.(answers) ?? valuesOf(name === 'version' ? name : 'id', answers[prefix]?.body)
  const ids = [...new Set([...textsOf(own).slice(0, enough), ...known])]
  return ids.flatMap((id) => {
    const [after = '', ...others] = rest
    const filled = `${prefix}/${encodeURIComponent(id)}${after}`
    if (others.length === 0) return [filled]
    const [next, last = ''] = others
    const inner = textsOf(valuesOf(next === 'version' ? 'version' : 'id', answers[filled]?.body)).slice(0, enough)
    return inner.map((each) => `${filled}/${encodeURIComponent(each)}${last}`)
  })
}

const parametersIn = ({ path }: Endpoint) => path.split('/:').length - 1

export type Known = Record<string, readonly string[]>

const knownTo = ({ path }: Endpoint, known: Known) => known[path.split('/:')[0] ?? '']

/** Requests every GET as one person, with ids from the answers and from `known`; the first three of each list. */
export const askEveryGet = async (visitor: Visitor, known: Known = {}): Promise<Answers> => {
  const answers: Answers = {}
  // Lists before the paths that need their ids.
  for (const endpoint of everyGet.toSorted((a, b) => parametersIn(a) - parametersIn(b) || order(a) - order(b)))
    for (const path of pathsOf(endpoint, answers, knownTo(endpoint, known))) answers[path] = await askOne(visitor, path)
  return answers
}

/** Since decision 0102; no release's dump has an answer of it. */
const withdrawn = '/api/admin/history/state'

export const everyPath = (answers: Answers, known: Known): string[] => {
  const asked = Object.keys(answers).filter((path) => path !== withdrawn || answers[path]?.status === 200)
  return [...new Set([...asked, ...everyGet.flatMap((each) => pathsOf(each, answers, knownTo(each, known)))])]
}

export const askEach = async (visitor: Visitor, paths: readonly string[]): Promise<Answers> => {
  const answers: Answers = {}
  for (const path of paths) answers[path] = await askOne(visitor, path)
  return answers
}

const order = ({ path }: Endpoint) =>
  Number(path.startsWith('/api/flow-runs') || path.startsWith('/api/whatsapp/media'))

/** Searches of the panel's lists stood in the address before decision 0092. */
const ask = (visitor: Visitor, path: string) => {
  const search = /^\/api\/admin\/users\?search=(\w+)$/.exec(path)?.[1]
  return search === undefined ? visitor.ask('GET', path) : visitor.ask('POST', '/api/admin/users/search', { search })
}

const askOne = async (visitor: Visitor, path: string): Promise<Answer> => {
  const { status, headers, body } = await ask(visitor, path)
  const isFile = !headers.get('content-type')?.includes('json')
  const notBuiltYet = headers.get(notBuiltYetHeader)
  return { status, body: isFile ? `${headers.get('content-type')}` : body, ...(notBuiltYet && { notBuiltYet }) }
}

export const endpointAt = (path: string): Endpoint => {
  const asked = path.split('?')[0]?.split('/') ?? []
  const isAt = (endpoint: Endpoint) => {
    const parts = endpoint.path.split('/')
    return parts.length === asked.length && parts.every((part, index) => part.startsWith(':') || part === asked[index])
  }
  const found = everyGet.filter(isAt).toSorted((a, b) => parametersIn(a) - parametersIn(b))[0]
  if (!found) throw new Error(`no endpoint is at ${path}`)
  return found
}
