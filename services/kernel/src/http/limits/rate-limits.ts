import { setTimeout as delay } from 'node:timers/promises'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { backoffMs } from '../../async/backoff.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import type { Redis } from '../../redis/redis.ts'
import { sharedWindows } from '../../redis/shared-windows.ts'
import { Refused } from '../problem.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'
import { knownBrowser, storeKnownBrowser } from '../sign-in/known-browser.ts'
import { type Attempts, attempts } from './attempts.ts'

/**
 * A route lists its limits in `config: { limits }`. They are checked in order after validation; an attempt that one refuses does not count
 * for later ones.
 */
export interface RateLimit {
  per: 'address' | 'email' | 'address and email' | 'user'
  max: number
  windowSeconds: number
  /** `failures`: only 4xx replies count. */
  counts: 'requests' | 'failures'
  /** `delay`: 0.25 s to 5 s. `mark`: the route does less and replies the same. */
  beyond: 'refuse' | 'delay' | 'mark'
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For limits that only a handler can name. */
    attempts: Attempts
  }
  interface FastifyContextConfig {
    limits?: readonly RateLimit[]
  }
  interface FastifyRequest {
    countedAttempts: string[]
    isBeyondLimit: boolean
    /** Exempts a signed request from failures of others at its address. */
    isSigned: boolean
  }
}

export interface RateLimitDeps {
  box: SecretBox
  redis?: Redis
  limitScale?: number
  stopwatch?: () => number
  pause?: (ms: number) => Promise<unknown>
}

/** A tab polls about 100 times a minute (specification, 9). */
const general = { max: 3000, windowSeconds: 60 }
/** Counted in memory, and between processes so many at once: each process may allow so many more. */
const generalPart = 100
const delays = { firstMs: 250, maxMs: 5000, spread: 0 }

/** A new session proves the password. */
const signsIn = (reply: FastifyReply): boolean =>
  [reply.getHeader('set-cookie') ?? []].flat().some((cookie) => String(cookie).startsWith(`${sessionCookie}=`)) &&
  reply.statusCode < 300

const emailOf = ({ body }: FastifyRequest): string | undefined =>
  body && typeof body === 'object' && 'email' in body && typeof body.email === 'string' ? body.email : undefined

const isFailure = (status: number) => status >= 400 && status < 500

/** E-mail addresses are stored as keyed hashes. */
export const limitRates = (
  app: FastifyInstance,
  { box, redis, limitScale = 1, stopwatch = () => performance.now(), pause = delay }: RateLimitDeps,
): Attempts => {
  const fingerprint = (key: string) => box.fingerprint(key, 'rate limit')
  const counted = attempts({ now: stopwatch, shared: sharedWindows(redis), fingerprint })
  app.decorateRequest('countedAttempts')
  app.decorateRequest('isBeyondLimit', false)
  app.decorateRequest('isSigned', false)

  /** IPv6: a customer has a /64. */
  const addressOf = (request: FastifyRequest) => normalizeIP(request.ip)

  const keyOf = (limit: RateLimit, request: FastifyRequest): string | undefined => {
    if (request.isSigned && limit.counts === 'failures') return undefined
    const email = emailOf(request)
    const known = email && knownBrowser(box, request, email)
    const parts = {
      address: () => (known && limit.counts === 'failures' ? undefined : addressOf(request)),
      user: () => request.signedIn?.id,
      email: () => known || (email && box.fingerprint(email, 'rate limit')),
      'address and email': () => known || (email && box.fingerprint(`${addressOf(request)} ${email}`, 'rate limit')),
    }
    const whose = parts[limit.per]()
    return whose && `${request.routeOptions.method} ${request.routeOptions.url} ${limit.per} ${limit.counts} ${whose}`
  }

  app.addHook('preHandler', async (request) => {
    request.countedAttempts = []
    for (const limit of request.routeOptions.config.limits ?? []) {
      const key = keyOf(limit, request)
      if (key === undefined) continue
      const { count, secondsLeft } = await counted.add(key, limit.windowSeconds)
      const tooMany = count - limit.max * limitScale
      if (limit.counts === 'failures') request.countedAttempts.push(key)
      if (tooMany <= 0) continue
      if (limit.beyond === 'refuse') throw new Refused('too_many_attempts', undefined, Math.ceil(secondsLeft))
      if (limit.beyond === 'mark') request.isBeyondLimit = true
      else await pause(backoffMs(tooMany - 1, delays))
    }
  })

  app.addHook('onSend', async (request, reply) => {
    if (!request.routeOptions.config?.limits) return
    if (!isFailure(reply.statusCode)) await Promise.all((request.countedAttempts ?? []).map(counted.takeBack))
    const email = emailOf(request)
    if (email && signsIn(reply)) storeKnownBrowser(box, request, reply, email)
  })

  return counted
}

/** Per user, over all endpoints with the same `costs`. The editor saves at most every 1.2 s. */
const byCosts = {
  computing: { max: 30, windowSeconds: 60 },
  large: { max: 240, windowSeconds: 60 },
}

type GeneralLimit = Pick<RateLimitDeps, 'limitScale'>

const count = (counted: Attempts, whose: string, { limitScale = 1 }: GeneralLimit) => {
  const { count, secondsLeft } = counted.addInParts(whose, general.windowSeconds, generalPart * limitScale)
  return { isWithin: count <= general.max * limitScale, secondsLeft }
}

export const countSession = (counted: Attempts, sessionId: string, limit: GeneralLimit) =>
  count(counted, `session ${sessionId}`, limit)

/** Before the body is read. */
export const limitCosts = async (
  counted: Attempts,
  { signedIn, routeOptions }: FastifyRequest,
  { limitScale = 1 }: GeneralLimit,
): Promise<void> => {
  const costs = routeOptions.config.endpoint?.costs
  if (!costs || !signedIn) return
  const { max, windowSeconds } = byCosts[costs]
  const { count, secondsLeft } = await counted.add(`${costs} ${signedIn.id}`, windowSeconds)
  if (count > max * limitScale) throw new Refused('too_many_attempts', undefined, Math.ceil(secondsLeft))
}

export const limitAll = (counted: Attempts, { signedIn, ip }: FastifyRequest, limit: GeneralLimit): void => {
  const { isWithin, secondsLeft } = signedIn
    ? countSession(counted, signedIn.sessionId, limit)
    : count(counted, `address ${normalizeIP(ip)}`, limit)
  if (!isWithin) throw new Refused('too_many_attempts', undefined, Math.ceil(secondsLeft))
}

/** Per key, over all its routes. */
const ofKeys = { max: 300, windowSeconds: 60 }

/** Counts requests with keys, also invalid and repeated ones, and says in each reply how many are left. */
export const limitKeys = (app: FastifyInstance, counted: Attempts, limitScale = 1): void => {
  app.decorate('attempts', counted)
  app.addHook('preValidation', async (request, reply) => {
    // Absent on routes without keys.
    const key = request.apiKey as FastifyRequest['apiKey'] | undefined
    if (!key) return
    const max = ofKeys.max * limitScale
    const { count, secondsLeft } = await counted.add(`key ${key.id}`, ofKeys.windowSeconds)
    const seconds = Math.ceil(secondsLeft)
    reply.header('ratelimit-limit', max)
    reply.header('ratelimit-remaining', Math.max(0, max - count))
    reply.header('ratelimit-reset', seconds)
    if (count > max) throw new Refused('too_many_requests', undefined, seconds)
  })
}
