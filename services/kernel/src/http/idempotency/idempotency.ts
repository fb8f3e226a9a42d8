import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { normalizeIP } from '@fastify/rate-limit'
import { idempotencyKeyHeader, positionHeader, repliedBeforeHeader } from '@prosa/contracts/http/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Clock } from '../../clock.ts'
import { deriveId } from '../../derive-id.ts'
import type { Logger } from '../../observability/log.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import type { Spending } from '../../spending/spending.ts'
import { isCommand } from '../api-request.ts'
import type { Attempts } from '../limits/attempts.ts'
import { Refused } from '../problem.ts'
import { type Claim, type IdempotentRequests, idempotentRequests } from './idempotent-requests.ts'

export interface RequestedCommand {
  /** Derived from user, route and `Idempotency-Key`; for visitors also the body, as their keys may collide. Random without a key. */
  id: string
  /** Begun before, with unknown progress. */
  repeated: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Derive new ids from this command's id. */
    command: RequestedCommand
    claimedRequest: string | undefined
  }
}

export interface IdempotencyDeps {
  pool: Pool
  box: SecretBox
  clock: Clock
  log: Logger
  spending: Spending
  attempts: Attempts
  limitScale?: number
}

const storedHeaders = ['content-type', positionHeader]
/** Replies of earlier releases, stored for a day, have plain log positions. */
const withoutPlainPosition = ({ [positionHeader]: position = '', ...headers }: Record<string, string>) =>
  /^\d*$/.test(position) ? headers : { ...headers, [positionHeader]: position }
const printable = /^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/
const betweenLooksMs = 25
const looks = 40
/** A larger reply is not stored: a repetition runs again, as the same command. */
const maxAnswerBytes = 64 * 1024
const rowBytes = 512
/** Per address. */
const visitorKeys = { max: 300, windowSeconds: 3600 }

const keyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers[idempotencyKeyHeader]
  if (key === undefined) return undefined
  if (typeof key === 'string' && printable.test(key)) return key
  throw new Refused('invalid_request', [
    { field: 'Idempotency-Key', message: 'Use de 1 a 200 letras, números ou sinais, sem acentos.' },
  ])
}

/** The second of two equal requests waits for the first reply. */
const claimOf = async (requests: IdempotentRequests, id: string, fingerprint: string): Promise<Claim> => {
  let claim = await requests.begin(id, fingerprint)
  for (let look = 0; claim.kind === 'running' && look < looks; look++) {
    await delay(betweenLooksMs)
    claim = await requests.begin(id, fingerprint)
  }
  return claim
}

/** Not stored: 5xx, cookies (secrets), missing session or purpose. Then the command runs again, with the same ids. */
const isFinal = (reply: FastifyReply, payload: unknown): payload is string | null | undefined =>
  reply.statusCode < 500 &&
  ![401, 403, 428, 429].includes(reply.statusCode) &&
  !reply.hasHeader('set-cookie') &&
  (typeof payload === 'string' || payload === null || payload === undefined) &&
  Buffer.byteLength(payload ?? '') <= maxAnswerBytes

/** Runs a command once per user and key within 24 hours; refuses the key with other content (docs/decisions/0010-idempotency.md). */
export const repeatSafely = (
  app: FastifyInstance,
  { pool, box, clock, log, spending, attempts, limitScale = 1 }: IdempotencyDeps,
): void => {
  const requests = idempotentRequests(pool, box, clock)
  app.decorateRequest('command')
  app.decorateRequest('claimedRequest', undefined)

  const mayNote = async (user: string | undefined, ip: string): Promise<boolean> => {
    if (user !== undefined) return spending.spendToday(user, 'keptAnswerBytesPerDay', rowBytes)
    const { count } = await attempts.add(`idempotency keys ${normalizeIP(ip)}`, visitorKeys.windowSeconds)
    return count <= visitorKeys.max * limitScale
  }

  app.addHook('preHandler', async (request, reply) => {
    if (!isCommand(request)) return
    const key = keyOf(request)
    request.command = { id: randomUUID(), repeated: false }
    // Requests without effect may run again; their replies can be as large as flows.
    if (key === undefined || request.routeOptions.config.endpoint?.changesNothing) return
    // Routes for visitors ignore the session.
    const user = request.user?.id
    // Keys of one account do not share names of requests.
    const whose = request.apiKey ? `key ${request.apiKey.id}` : (user ?? 'visitor')
    const { method, url, body, routeOptions } = request
    const id = box.fingerprint(JSON.stringify([whose, key]), 'idempotency key')
    const fingerprint = box.fingerprint(JSON.stringify([method, url, body]), 'idempotent request')
    const isNoted = await mayNote(user, request.ip)
    // Without a claim the command looks for its own events, as if begun before.
    const claim: Claim = isNoted
      ? await claimOf(requests, id, fingerprint)
      : ((await requests.find(id, fingerprint)) ?? { kind: 'run', repeated: true })
    if (claim.kind === 'other') throw new Refused('idempotency_key_reused')
    if (claim.kind === 'running') throw new Refused('request_in_progress', undefined, 1)
    if (claim.kind === 'answered') {
      const { status, headers, body: sent } = claim.reply
      const retentionMs = withoutPlainPosition(headers)
      return reply.code(status).headers(retentionMs).header(repliedBeforeHeader, 'true').serializer(String).send(sent)
    }
    if (isNoted) request.claimedRequest = id
    request.command = {
      id: deriveId('request', whose, method, routeOptions.url ?? '', key, ...(user ? [] : [fingerprint])),
      repeated: claim.repeated,
    }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const id = request.claimedRequest
    if (id === undefined) return
    const settle = async () => {
      if (!isFinal(reply, payload)) return requests.release(id)
      const bytes = Buffer.byteLength(payload ?? '')
      const tenant = request.user?.id
      if (tenant !== undefined && !(await spending.spendToday(tenant, 'keptAnswerBytesPerDay', bytes)))
        return requests.release(id)
      const headers: Record<string, string> = {}
      for (const name of storedHeaders) {
        const value = reply.getHeader(name)
        if (value !== undefined) headers[name] = String(value)
      }
      return requests.answer(id, { status: reply.statusCode, headers, body: payload ?? '' })
    }
    // The reply is true although not stored: a repetition runs with the same ids.
    await settle().catch((error: unknown) => log.warn({ err: error, correlationId: request.id }, 'reply not stored'))
  })
}
