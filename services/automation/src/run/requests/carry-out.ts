import type { RequestFailure } from '@prosa/contracts/flows/request'
import type { FlowRequest } from '@prosa/contracts/flows/request-template'
import { pause } from '@prosa/kernel/async/pause'
import { followRedirects } from '@prosa/kernel/http/outbound/follow-redirects'
import { OutboundFailed, type SendOutbound } from '@prosa/kernel/http/outbound/outbound'
import { maxBodyBytes, preparedRequest } from './prepared-request.ts'
import { mappedValues, withoutSecrets } from './read-reply.ts'
import { failedReply, type RequestReply } from './request-step.ts'

export interface CarryOutDeps {
  send: SendOutbound
  /** False beyond the tenant's budget. */
  spend(tenant: string): Promise<boolean>
  /** Milliseconds before each further attempt. */
  pauses?: readonly number[]
  /** Of each attempt, with its redirects; default: 10 s. */
  timeoutMs?: number
}

export interface Wanted {
  tenant: string
  request: FlowRequest
  values: Readonly<Record<string, string>>
  secrets: ReadonlyMap<string, string>
  key: string
}

/** A reply with its body; '' without one. */
export type FullReply = RequestReply & { body: string }

/** Three attempts in all. */
const retryPauses = [2000, 8000]
const retriedStatuses = new Set([408, 425, 429, 500, 502, 503, 504])
const retriedFaults: readonly RequestFailure[] = ['timeout', 'unknown_host', 'refused', 'broken']

interface Tried {
  status: number | null
  failure: RequestFailure | null
  body: Buffer
}

const noBody = Buffer.alloc(0)

const failureOf = (status: number, body: Buffer): RequestFailure | null => {
  if (status >= 300 && status < 400) return 'redirect'
  if (status < 200 || status > 299) return 'status'
  return body.length > maxBodyBytes ? 'reply_too_large' : null
}

const isWorthAnother = ({ status, failure }: Tried): boolean =>
  failure === 'status' ? retriedStatuses.has(status ?? 0) : failure !== null && retriedFaults.includes(failure)

/** Sends until it is answered or given up. Where `signal` aborts, no further attempt begins and nothing is returned. */
export const carryOut = async (
  { send, spend, pauses = retryPauses, timeoutMs = 10_000 }: CarryOutDeps,
  { tenant, request, values, secrets, key }: Wanted,
  signal: AbortSignal = new AbortController().signal,
): Promise<FullReply | undefined> => {
  const prepared = preparedRequest(request, values, secrets, key)
  if ('failure' in prepared) return { ...failedReply(prepared.failure), body: '' }
  const follow = followRedirects(send)
  const attempt = async (): Promise<Tried> => {
    if (!(await spend(tenant))) return { status: null, failure: 'daily_limit', body: noBody }
    try {
      const { status, body } = await follow({ ...prepared, timeoutMs })
      return { status, failure: failureOf(status, body), body }
    } catch (error) {
      if (!(error instanceof OutboundFailed)) throw error
      return { status: null, failure: error.fault, body: noBody }
    }
  }
  const began = performance.now()
  let tried = await attempt()
  let attempts = tried.failure === 'daily_limit' ? 0 : 1
  for (const ms of pauses) {
    if (!isWorthAnother(tried)) break
    await pause(ms, signal)
    if (signal.aborted) return undefined
    const next = await attempt()
    // The failure that was met says more than that there is no further attempt.
    if (next.failure === 'daily_limit') break
    tried = next
    attempts += 1
  }
  const mapped = tried.failure === null ? mappedValues(tried.body, request.results) : { values: {}, types: {} }
  const clean = (text: string) => withoutSecrets(text, secrets.values())
  return {
    status: tried.status,
    failure: mapped ? tried.failure : 'not_json',
    durationMs: Math.round(performance.now() - began),
    attempts,
    values: Object.fromEntries(Object.entries(mapped?.values ?? {}).map(([name, value]) => [name, clean(value)])),
    ...(mapped && Object.keys(mapped.types).length > 0 && { types: mapped.types }),
    body: clean(tried.body.toString()),
  }
}
