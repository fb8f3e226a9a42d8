import type { Problem } from '@prosa/contracts/http/problem'
import { cursorHeader, positionHeader } from '@prosa/contracts/http/problem'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type FieldError = { field: string; message: string }

/** A request that did not succeed. `title` (also `message`) is the sentence for the user; status 0 means no answer came. */
export class ApiProblem extends Error {
  readonly status: number
  readonly type: string
  readonly title: string
  readonly errors: readonly FieldError[]

  constructor(status: number, type: string, title: string, errors: readonly FieldError[] = []) {
    super(title)
    this.name = 'ApiProblem'
    this.status = status
    this.type = type
    this.title = title
    this.errors = errors
  }

  /** The sentence about one field of the request, when the server refused it. */
  errorOf(field: string): string | undefined {
    return this.errors.find((error) => error.field === field)?.message
  }
}

const offline = () => new ApiProblem(0, 'offline', 'Sem conexão com o Prosa. Verifique sua internet; nada se perdeu.')

const unreadable = (status: number) =>
  new ApiProblem(
    status,
    'unexpected',
    status === 502 || status === 503 || status === 504
      ? 'O Prosa não está respondendo neste momento. Tente de novo em instantes.'
      : 'Não foi possível concluir. Nada do que foi confirmado se perdeu; tente de novo.',
  )

/** The highest log position that a command of this page reached; sent with every GET so that it reads our own writes. */
let position: string | null = null

const rememberPosition = (reached: string | null) => {
  if (!reached || !/^\d+$/.test(reached)) return
  if (position === null || BigInt(reached) > BigInt(position)) position = reached
}

const problemOf = async (response: Response): Promise<ApiProblem> => {
  if (!response.headers.get('content-type')?.includes('json')) return unreadable(response.status)
  const body = (await response.json()) as Partial<Problem> | null
  if (!body?.title) return unreadable(response.status)
  return new ApiProblem(response.status, body.type ?? 'unexpected', body.title, body.errors ?? [])
}

const send = async (method: Method, path: string, body?: unknown): Promise<Response> => {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (method === 'GET' && position !== null) headers[positionHeader] = position
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw offline()
  })
  rememberPosition(response.headers.get(positionHeader))
  if (!response.ok) throw await problemOf(response).catch(() => unreadable(response.status))
  return response
}

const jsonOf = <T>(response: Response): Promise<T> =>
  response.json().catch(() => {
    throw unreadable(response.status)
  })

/** Sends JSON and answers the reply's JSON (undefined for 204). Throws an `ApiProblem` with a sentence for the user. */
export const request = async <T>(method: Method, path: string, body?: unknown): Promise<T> => {
  const response = await send(method, path, body)
  return response.status === 204 ? (undefined as T) : jsonOf<T>(response)
}

export type Page<T> = { items: T[]; next: string | null }

/** One page of a list; `next` goes into `?cursor=` for the following one and is null on the last. */
export const getPage = async <T>(path: string): Promise<Page<T>> => {
  const response = await send('GET', path)
  return { items: await jsonOf<T[]>(response), next: response.headers.get(cursorHeader) }
}

/** The sentence to show for anything thrown by `request`. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ApiProblem && error.title ? error.title : fallback
