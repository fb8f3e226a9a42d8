import type { Problem } from '@prosa/contracts/http/problem'
import {
  cursorHeader,
  idempotencyKeyHeader,
  newerCursorHeader,
  notBuiltYetHeader,
  positionHeader,
} from '@prosa/contracts/http/problem'
import { pauseReading, readingAllowed } from './reading-pause.ts'
import { askPurpose } from './reading-purpose.ts'
import { pauseUntilServerBack } from './server-reach.ts'
import { noteCompleteness } from './unbuilt-data.ts'

type FieldError = { field: string; message: string }

/** A request that did not succeed. `title` (also `message`) is the sentence for the user; status 0 means no answer came. */
export class ApiProblem extends Error {
  readonly status: number
  readonly type: string
  readonly title: string
  readonly errors: readonly FieldError[]
  /** After how many seconds the server wants to be asked again; null where it did not say. */
  readonly retryAfterSeconds: number | null
  /** Of `purpose_needed`: whose data it is about; null: of all accounts. */
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

  /** The sentence about one field of the request, when the server refused it. */
  errorOf(field: string): string | undefined {
    return this.errors.find((error) => error.field === field)?.message
  }
}

/** No answer came at all. */
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

/** As many as a server reads. */
const maxPositions = 16

/**
 * The log positions that commands of this page reached or pushes told of, as tokens of which only the server knows the latest; sent with every
 * GET, so that it reads our own writes and, whichever process answers, what was pushed.
 */
let positions: readonly string[] = []

/** From here on every GET shows what the log held at this position. */
export const rememberPosition = (reached: string | null): void => {
  if (reached) positions = [...positions.filter((known) => known !== reached), reached].slice(-maxPositions)
}

/** One that the server gave stands for all that it was sent. */
const joinPositions = (sent: readonly string[], joined: string | null): void => {
  if (joined) positions = [joined, ...positions.filter((known) => known !== joined && !sent.includes(known))]
}

/** What a GET answered last, and the tag under which the server knows it. */
type Kept = { etag: string; body: unknown; next: string | null; newer?: string }

const keptReplies = 100

/** By path, the one used longest ago first. In memory only: nothing that customers wrote is left on the disk of the computer. */
const kept = new Map<string, Kept>()

const keep = (path: string, reply: Kept) => {
  kept.delete(path)
  kept.set(path, reply)
  for (const oldest of kept.keys()) {
    if (kept.size <= keptReplies) return
    kept.delete(oldest)
  }
}

/** Forgets what was read for whoever was signed in. */
export const forgetReplies = (): void => kept.clear()

const isProblem = (body: unknown): body is Partial<Problem> & Pick<Problem, 'title'> =>
  typeof body === 'object' && body !== null && 'title' in body && Boolean(body.title)

/** The problem that the body of an answer describes, whatever that body turns out to be. */
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

/** An answer that has not come by then will not come: whoever waits for it may ask again. */
const timeoutMs = 20_000

type SendOptions = { body?: unknown; etag?: string; key?: string }

const send = async (method: string, path: string, { body, etag, key }: SendOptions = {}): Promise<Response> => {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (etag !== undefined) headers['if-none-match'] = etag
  if (key !== undefined) headers[idempotencyKeyHeader] = key
  if (body !== undefined) headers['content-type'] = 'application/json'
  const sent = method === 'GET' ? positions : []
  if (sent.length > 0) headers[positionHeader] = sent.join(', ')
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw offline()
  })
  const reached = response.headers.get(positionHeader)
  if (method === 'GET') joinPositions(sent, reached)
  else rememberPosition(reached)
  if (method === 'GET') noteCompleteness(path, !response.headers.has(notBuiltYetHeader))
  if (!response.ok && !(response.status === 304 && etag !== undefined))
    throw await problemOf(response).catch(() => unreadable(response.status))
  return response
}

/**
 * How long a request waits before each repetition, at most: it goes out at once when the live line is back. Together half a minute, in which
 * a server has restarted, and more than the 5 s after which one takes over a claim.
 */
export const repetition = { pausesMs: [300, 700, 1500, 3000, 5000, 5000, 5000, 5000, 5000] }
/** Where each attempt waits long for its answer, none begins later than this. */
const patienceMs = 60_000

/** Not `crypto.randomUUID`: browsers have that over https and on the machine itself only, not in a shop's own network. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** Whether the server may have done it, or may yet: then the same wish, under the same key, is harmless to repeat. */
const isOpen = (error: unknown) =>
  error instanceof ApiProblem &&
  ([502, 503, 504].includes(error.status) ||
    error.type === 'request_in_progress' ||
    (error.type === 'offline' && navigator.onLine))

/** Sends again, with pauses, where no answer came or a gateway has none: the server restarts. */
const untilAnswered = async (attempt: () => Promise<Response>): Promise<Response> => {
  const began = performance.now()
  for (const pause of repetition.pausesMs) {
    try {
      return await attempt()
    } catch (error) {
      if (!isOpen(error) || performance.now() > began + patienceMs) throw error
    }
    await pauseUntilServerBack(pause)
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

/** A GET that waits, as long as the server wants it to, instead of failing where it was refused because of too many. */
const patiently = async (path: string, etag: string | undefined): Promise<Response> => {
  for (;;) {
    await readingAllowed()
    try {
      return await untilAnswered(() => send('GET', path, { etag }))
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || error.retryAfterSeconds === null) throw error
      pauseReading(error.retryAfterSeconds)
    }
  }
}

/** Reads, and says nothing but 'still that?' about what was read before: an unchanged reply is the same object again. */
const read = async (path: string): Promise<Omit<Kept, 'etag'>> => {
  const known = kept.get(path)
  const response = await patiently(path, known?.etag)
  if (response.status === 304 && known) {
    keep(path, known)
    return known
  }
  const reply = {
    body: await jsonOf(response),
    next: response.headers.get(cursorHeader),
    newer: response.headers.get(newerCursorHeader) ?? undefined,
  }
  const etag = response.headers.get('etag')
  if (etag === null) kept.delete(path)
  else keep(path, { etag, ...reply })
  return reply
}

/**
 * Where somebody who administers has to say first why they need to see this, they are asked, and it is tried again. `isPressed`: not by
 * a screen that reads by itself.
 */
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
 * Sends JSON and answers the reply's JSON (undefined for 204). Throws an `ApiProblem` with a sentence for the user. What a GET
 * answers may be the object of an earlier one: it is not to be changed.
 */
export const request = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  if (method === 'GET') return (await afterPurpose(() => read(path))).body
  const response = await afterPurpose(() => command(method, path, body), true)
  return response.status === 204 ? undefined : jsonOf(response)
}

type Paging = { next: string | null; newer?: string }

export type Page<T> = Paging & { items: T[] }

/**
 * One page of a list; `next` goes into `?cursor=` for the following one and is null on the last. In a history `newer` goes into
 * `?after=` and is absent at the latest message. Not to be changed either.
 */
export const getPage = async (path: string): Promise<Paging & { items: unknown }> => {
  const { body, next, newer } = await afterPurpose(() => read(path))
  return { items: body, next, newer }
}

/** The sentence to show for anything thrown by `request`. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ApiProblem && error.title ? error.title : fallback

/** What the server said, or that it cannot be reached; `fallback` where its answer had no sentence of Prosa's. */
export const serverSentenceOr = (error: unknown, fallback: string): string =>
  error instanceof ApiProblem && error.type !== 'unreadable' ? error.title : fallback

/** `failed`, then what a refusal says of it; where Prosa itself failed there is nothing to add. */
export const failedBecause = (failed: string, error: unknown): string =>
  error instanceof ApiProblem && error.status < 500 ? `${failed.replace(/\.$/, '')}. ${error.title}` : failed

/** A refusal says itself what to do; of a failure inside Prosa, `failed` is said. */
export const refusalOr = (error: unknown, failed: string): string =>
  error instanceof ApiProblem && error.status < 500 ? error.title : failed
