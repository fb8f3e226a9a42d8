import type { Problem } from '@prosa/contracts/http/problem'
import {
  cursorHeader,
  idempotencyKeyHeader,
  newerCursorHeader,
  notBuiltYetHeader,
  positionHeader,
} from '@prosa/contracts/http/problem'
import { noteCompleteness } from './incomplete-reads.ts'
import { pauseReading, readingAllowed } from './rate-limit-pause.ts'
import { askPurpose } from './reading-purpose.ts'
import { pauseFor, pauseUntilServerBack } from './server-reach.ts'

type FieldError = { field: string; message: string }

/** `title` (also `message`) is the user's sentence; status 0: no reply arrived. */
export class ApiProblem extends Error {
  readonly status: number
  readonly type: string
  readonly title: string
  readonly errors: readonly FieldError[]
  readonly retryAfterSeconds: number | null
  /** Of `purpose_needed`; null: all tenants. */
  readonly tenantId: string | null

  constructor(
    status: number,
    type: string,
    title: string,
    errors: readonly FieldError[] = [],
    retryAfterSeconds: number | null = null,
    tenantId: string | null = null,
  ) {
    super(title)
    this.name = 'ApiProblem'
    this.status = status
    this.type = type
    this.title = title
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.tenantId = tenantId
  }

  errorOf(field: string): string | undefined {
    return this.errors.find((error) => error.field === field)?.message
  }
}

export const offline = (): ApiProblem =>
  new ApiProblem(0, 'offline', 'Sem conexão com o Prosa. Verifique sua internet; nada se perdeu.')

const unreadable = (status: number) =>
  new ApiProblem(
    status,
    'unreadable',
    status === 502 || status === 503 || status === 504
      ? 'O Prosa não está respondendo neste momento. Tente de novo em instantes.'
      : 'Não foi possível concluir. Nada do que foi confirmado se perdeu; tente de novo.',
  )

/** The server reads at most this many. */
const maxPositions = 16

/** Opaque log positions of own commands and pushes, sent with every GET: any process answers at least that state. */
let positions: readonly string[] = []

export const notePosition = (reached: string | null): void => {
  if (reached) positions = [...positions.filter((known) => known !== reached), reached].slice(-maxPositions)
}

/** The server's joined position replaces those sent. */
const joinPositions = (sent: readonly string[], joined: string | null): void => {
  if (joined) positions = [joined, ...positions.filter((known) => known !== joined && !sent.includes(known))]
}

type CachedReply = { etag: string; body: unknown; next: string | null; newer?: string }

const maxCachedReplies = 100

/** By path, least recently used first. In memory only: customers' messages must not reach the disk. */
const cached = new Map<string, CachedReply>()

const cacheReply = (path: string, reply: CachedReply) => {
  cached.delete(path)
  cached.set(path, reply)
  for (const oldest of cached.keys()) {
    if (cached.size <= maxCachedReplies) return
    cached.delete(oldest)
  }
}

/** Changes with the user. */
let visit = {}

/** For the next user: also what is under way is neither cached nor tried again. */
export const forgetReplies = (): void => {
  cached.clear()
  visit = {}
}

const isProblem = (body: unknown): body is Partial<Problem> & Pick<Problem, 'title'> =>
  typeof body === 'object' && body !== null && 'title' in body && Boolean(body.title)

export const problemIn = (status: number, body: unknown): ApiProblem =>
  isProblem(body)
    ? new ApiProblem(status, body.type ?? 'unexpected', body.title, body.errors ?? [], null, body.tenantId ?? null)
    : unreadable(status)

const problemOf = async (response: Response): Promise<ApiProblem> => {
  if (!response.headers.get('content-type')?.includes('json')) return unreadable(response.status)
  const { status, type, title, errors, tenantId } = problemIn(response.status, await response.json())
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return new ApiProblem(status, type, title, errors, Number.isNaN(seconds) ? null : seconds, tenantId)
}

const timeoutMs = 20_000

/** Without a reason. `AbortSignal.any` is missing in Safari before 17.4 and Chrome before 116. */
const withTimeout = (signal: AbortSignal | undefined): AbortSignal => {
  const first = new AbortController()
  const abort = () => first.abort()
  for (const each of [AbortSignal.timeout(timeoutMs), signal]) {
    if (each?.aborted) abort()
    each?.addEventListener('abort', abort)
  }
  return first.signal
}

/** Searches are POSTs, so that no address names anybody. */
const isReading = (method: string, path: string) => method === 'GET' || path.endsWith('/search')

type SendOptions = { body?: unknown; etag?: string; key?: string; signal?: AbortSignal | undefined }

const send = async (method: string, path: string, { body, etag, key, signal }: SendOptions = {}): Promise<Response> => {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (etag !== undefined) headers['if-none-match'] = etag
  if (key !== undefined) headers[idempotencyKeyHeader] = key
  if (body !== undefined) headers['content-type'] = 'application/json'
  const sent = isReading(method, path) ? positions : []
  if (sent.length > 0) headers[positionHeader] = sent.join(', ')
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: withTimeout(signal),
  }).catch(() => {
    signal?.throwIfAborted()
    throw offline()
  })
  const reached = response.headers.get(positionHeader)
  if (isReading(method, path)) joinPositions(sent, reached)
  else notePosition(reached)
  if (method === 'GET') noteCompleteness(path, !response.headers.has(notBuiltYetHeader))
  if (!response.ok && !(response.status === 304 && etag !== undefined))
    throw await problemOf(response).catch(() => unreadable(response.status))
  return response
}

/**
 * Pauses before retries, each up to half longer at random; they end when the socket is back. Together 30 s: enough for a restart, and more
 * than the 5 s until a claim is taken over.
 */
export const repetition = { pausesMs: [300, 700, 1500, 3000, 5000, 5000, 5000, 5000, 5000] }
/** No attempt starts later than this. */
const patienceMs = 60_000

/** `crypto.randomUUID` needs https or localhost, which local networks lack. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** The outcome is unknown: a retry under the same key is harmless. */
const isOutcomeUnknown = (error: unknown) =>
  error instanceof ApiProblem &&
  ([502, 503, 504].includes(error.status) ||
    error.type === 'request_in_progress' ||
    (error.type === 'offline' && navigator.onLine))

/**
 * Repeats where no answer came, or only a gateway answered: the server restarts. Not for another user, whose cookie it would carry, nor
 * after the abort, whose reason it throws.
 */
const untilAnswered = async (attempt: () => Promise<Response>, signal?: AbortSignal): Promise<Response> => {
  const lastStartMs = performance.now() + patienceMs
  const begunIn = visit
  for (const pauseMs of repetition.pausesMs) {
    try {
      return await attempt()
    } catch (error) {
      const wantedMs = error instanceof ApiProblem ? 1000 * (error.retryAfterSeconds ?? 0) : 0
      if (!isOutcomeUnknown(error) || performance.now() + wantedMs > lastStartMs) throw error
      if (wantedMs > 0) await pauseFor(wantedMs, signal)
      await pauseUntilServerBack(pauseMs * (1 + Math.random() / 2), signal)
      if (visit !== begunIn || performance.now() > lastStartMs) throw error
    }
  }
  return attempt()
}

/** Each call has a key of its own; repeated under it, the command is carried out once. */
const command = (method: string, path: string, body: unknown): Promise<Response> => {
  const key = newKey()
  return untilAnswered(() => send(method, path, { body, key }))
}

const jsonOf = (response: Response): Promise<unknown> =>
  response.json().catch(() => {
    throw unreadable(response.status)
  })

/** Waits after a 429 instead of failing. */
const patiently = async (path: string, etag: string | undefined, signal?: AbortSignal): Promise<Response> => {
  for (;;) {
    await readingAllowed()
    try {
      return await untilAnswered(() => send('GET', path, { etag, signal }), signal)
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || error.retryAfterSeconds === null) throw error
      pauseReading(error.retryAfterSeconds)
    }
  }
}

/** A conditional GET: an unchanged reply is the same object. */
const read = async (path: string, signal?: AbortSignal): Promise<Omit<CachedReply, 'etag'>> => {
  const begunIn = visit
  const known = cached.get(path)
  const response = await patiently(path, known?.etag, signal)
  if (response.status === 304 && known) {
    if (visit === begunIn) cacheReply(path, known)
    return known
  }
  const reply = {
    body: await jsonOf(response),
    next: response.headers.get(cursorHeader),
    newer: response.headers.get(newerCursorHeader) ?? undefined,
  }
  if (visit !== begunIn) return reply
  const etag = response.headers.get('etag')
  if (etag === null) cached.delete(path)
  else cacheReply(path, { etag, ...reply })
  return reply
}

/** Asks administrators for their purpose, then retries. `isPressed`: a user action. */
export const afterPurpose = async <T>(attempt: () => Promise<T>, isPressed = false): Promise<T> => {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.type !== 'purpose_needed') throw error
      if (!(await askPurpose(error.tenantId, isPressed))) throw error
    }
  }
}

/**
 * Undefined for 204. Throws an `ApiProblem`; a GET whose `signal` aborts ends with the signal's reason. A GET may return a cached object: do
 * not mutate it.
 */
export const request = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> => {
  if (method === 'GET') return (await afterPurpose(() => read(path, signal))).body
  const response = await afterPurpose(() => command(method, path, body), true)
  return response.status === 204 ? undefined : jsonOf(response)
}

type Paging = { next: string | null; newer?: string }

export type Page<T> = Paging & { items: T[] }

/** `next` goes into `?cursor=`, null on the last page; `newer` into `?after=`, absent at the latest message. Do not mutate. */
export const getPage = async (path: string, signal?: AbortSignal): Promise<Paging & { items: unknown }> => {
  const { body, next, newer } = await afterPurpose(() => read(path, signal))
  return { items: body, next, newer }
}

export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ApiProblem && error.title ? error.title : fallback

export const serverSentenceOr = (error: unknown, fallback: string): string =>
  error instanceof ApiProblem && error.type !== 'unreadable' ? error.title : fallback

/** Adds a refusal's reason; a 5xx has none. */
export const failedBecause = (failed: string, error: unknown): string =>
  error instanceof ApiProblem && error.status < 500 ? `${failed.replace(/\.$/, '')}. ${error.title}` : failed

/** `failed` for a 5xx. */
export const refusalOr = (error: unknown, failed: string): string =>
  error instanceof ApiProblem && error.status < 500 ? error.title : failed
