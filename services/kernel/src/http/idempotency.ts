import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { normalizeIP } from '@fastify/rate-limit'
import { idempotencyKeyHeader, positionHeader, repliedBeforeHeader } from '@prosa/contracts/http/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import { deriveId } from '../derive-id.ts'
import type { Logger } from '../observability/log.ts'
import type { SecretBox } from '../privacy/secret-box.ts'
import type { Spending } from '../spending/spending.ts'
import { isCommand } from './api-request.ts'
import type { Attempts } from './attempts.ts'
import { type IdempotentRequests, idempotentRequests, type Turn } from './idempotent-requests.ts'
import { Refused } from './problem.ts'

export interface RequestedCommand {
  /**
   * Follows from user, route and `Idempotency-Key` where there is one, for visitors from the body too, as two of them may
   * choose the same key; otherwise it is new with every request.
   */
  id: string
  /** It was begun before and nobody knows how far it got. */
  repeated: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What a request that may change something asks for; ids that it makes are derived from this one. */
    command: RequestedCommand
    /** Names the claim that must be answered or given up; undefined without a key. */
    claimedRequest: string | undefined
  }
}

export interface IdempotencyDeps {
  pool: Pool
  box: SecretBox
  clock: Clock
  log: Logger
  spending: Spending
  /** What is counted in the memory of this process. */
  attempts: Attempts
  /** Multiplies what an address may do; 1 in production. */
  limitScale?: number
}

const keptHeaders = ['content-type', positionHeader]
/** Answers of releases before, which are kept for a day, name the position of the log itself. */
const withoutPlainPosition = ({ [positionHeader]: position = '', ...headers }: Record<string, string>) =>
  /^\d*$/.test(position) ? headers : { ...headers, [positionHeader]: position }
const printable = /^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/
const betweenLooksMs = 25
const looks = 40
/** A larger answer is not kept: the command is executed again, as the same one, and answered anew. */
const maxAnswerBytes = 64 * 1024
/** What the row of a key takes beside its answer, about. */
const rowBytes = 512
/** Keys of visitors from one address that are noted in an hour. */
const visitorKeys = { max: 300, windowSeconds: 3600 }

const keyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers[idempotencyKeyHeader]
  if (key === undefined) return undefined
  if (typeof key === 'string' && printable.test(key)) return key
  throw new Refused('invalid_request', [
    { field: 'Idempotency-Key', message: 'Use de 1 a 200 letras, números ou sinais, sem acentos.' },
  ])
}

/** The first of two equal requests runs; the other waits a while for its answer. */
const turnOf = async (requests: IdempotentRequests, id: string, fingerprint: string): Promise<Turn> => {
  let turn = await requests.begin(id, fingerprint)
  for (let look = 0; turn.kind === 'running' && look < looks; look++) {
    await delay(betweenLooksMs)
    turn = await requests.begin(id, fingerprint)
  }
  return turn
}

/**
 * An answer that holds for every repetition. Cookies are secrets and not kept, who lacks a session, or did not say why, may do so
 * the next time, and trouble passes: then the command runs again, with the same ids.
 */
const isFinal = (reply: FastifyReply, payload: unknown): payload is string | null | undefined =>
  reply.statusCode < 500 &&
  ![401, 403, 428, 429].includes(reply.statusCode) &&
  !reply.hasHeader('set-cookie') &&
  (typeof payload === 'string' || payload === null || payload === undefined) &&
  Buffer.byteLength(payload ?? '') <= maxAnswerBytes

/**
 * Commands with an `Idempotency-Key` are carried out once per user and key and answered the same for 24 hours; the same key
 * with other content is refused. Why it is built so: docs/decisions/0010-idempotency.md.
 */
export const repeatSafely = (
  app: FastifyInstance,
  { pool, box, clock, log, spending, attempts, limitScale = 1 }: IdempotencyDeps,
): void => {
  const requests = idempotentRequests(pool, box, clock)
  app.decorateRequest('command')
  app.decorateRequest('claimedRequest', undefined)

  /** Whether there is room to note one more key, of whoever asks. */
  const mayNote = async (user: string | undefined, ip: string): Promise<boolean> => {
    if (user !== undefined) return spending.spendToday(user, 'keptAnswerBytesPerDay', rowBytes)
    const { count } = attempts.add(`idempotency keys ${normalizeIP(ip)}`, visitorKeys.windowSeconds)
    return count <= visitorKeys.max * limitScale
  }

  app.addHook('preHandler', async (request, reply) => {
    if (!isCommand(request)) return
    const key = keyOf(request)
    request.command = { id: randomUUID(), repeated: false }
    // What changes nothing is harmless to execute again, and its answers are as large as flows.
    if (key === undefined || request.routeOptions.config.endpoint?.changesNothing) return
    // Set by `requireUser`: a route for visitors is the same to everybody, signed in or not.
    const user = request.user?.id
    const whose = user ?? 'visitor'
    const { method, url, body, routeOptions } = request
    const id = box.fingerprint(JSON.stringify([whose, key]), 'idempotency key')
    const fingerprint = box.fingerprint(JSON.stringify([method, url, body]), 'idempotent request')
    const isNoted = await mayNote(user, request.ip)
    // What is not noted is executed as a command that may have been begun before: its own events are looked for.
    const turn: Turn = isNoted
      ? await turnOf(requests, id, fingerprint)
      : ((await requests.find(id, fingerprint)) ?? { kind: 'run', repeated: true })
    if (turn.kind === 'other') throw new Refused('idempotency_key_reused')
    if (turn.kind === 'running') throw new Refused('request_in_progress', undefined, 1)
    if (turn.kind === 'answered') {
      const { status, headers, body: sent } = turn.reply
      const kept = withoutPlainPosition(headers)
      return reply.code(status).headers(kept).header(repliedBeforeHeader, 'true').serializer(String).send(sent)
    }
    if (isNoted) request.claimedRequest = id
    request.command = {
      id: deriveId('request', whose, method, routeOptions.url ?? '', key, ...(user ? [] : [fingerprint])),
      repeated: turn.repeated,
    }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const id = request.claimedRequest
    if (id === undefined) return
    const settle = async () => {
      if (!isFinal(reply, payload)) return requests.release(id)
      const bytes = Buffer.byteLength(payload ?? '')
      const owner = request.user?.id
      if (owner !== undefined && !(await spending.spendToday(owner, 'keptAnswerBytesPerDay', bytes)))
        return requests.release(id)
      const headers: Record<string, string> = {}
      for (const name of keptHeaders) {
        const value = reply.getHeader(name)
        if (value !== undefined) headers[name] = String(value)
      }
      return requests.answer(id, { status: reply.statusCode, headers, body: payload ?? '' })
    }
    // What was done is done, and this answer is true: whoever asks again runs it again, with the same ids.
    await settle().catch((error: unknown) => log.warn({ err: error, correlationId: request.id }, 'reply not kept'))
  })
}
