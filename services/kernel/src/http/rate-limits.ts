import { setTimeout as delay } from 'node:timers/promises'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { backoffMs } from '../async/backoff.ts'
import type { SecretBox } from '../privacy/secret-box.ts'
import { type Attempts, attempts } from './attempts.ts'
import { sessionCookie } from './browser-sessions.ts'
import { knownBrowser, rememberBrowser } from './known-browser.ts'
import { Refused } from './problem.ts'

/**
 * How often something may be tried. A route carries its limits in its configuration and needs nothing more:
 * `route(app, authEndpoints.login, { config: { limits: loginLimits } }, …)`. They are checked in their order, after the
 * body was validated; what one of them refuses does not count for those behind it.
 */
export interface RateLimit {
  /** Whose attempts count together; an e-mail address is the body's `email`, a user the signed-in one. */
  per: 'address' | 'email' | 'address and email' | 'user'
  max: number
  windowSeconds: number
  /** `failures`: attempts that were answered with anything but 4xx are taken back. */
  counts: 'requests' | 'failures'
  /**
   * What comes beyond is refused with 429, or only made slow (0.25 s at first, 5 s at most), or only marked: then the route
   * does less, and answers the same.
   */
  beyond: 'refuse' | 'delay' | 'mark'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    limits?: readonly RateLimit[]
  }
  interface FastifyRequest {
    /** What this request was counted under and may be taken back. */
    countedAttempts: string[]
    /** It came beyond a limit that only marks. */
    isBeyondLimit: boolean
    /**
     * A signature proved who sends it, before limits are checked: failures of others, who may have the same address, are not its own.
     */
    isSigned: boolean
  }
}

export interface RateLimitDeps {
  box: SecretBox
  /** Multiplies every limit; 1 in production. Tests, which all come from one address, need room. */
  limitScale?: number
  /** In milliseconds, from any moment on. */
  stopwatch?: () => number
  pause?: (ms: number) => Promise<unknown>
}

/** A tab polls about 100 times a minute (specification, 9): room for 30 of them in one browser. */
const general = { max: 3000, windowSeconds: 60 }
const delays = { firstMs: 250, maxMs: 5000, spread: 0 }

/** What a reply hands a session to is a browser that knew the password. */
const signsIn = (reply: FastifyReply): boolean =>
  [reply.getHeader('set-cookie') ?? []].flat().some((cookie) => String(cookie).startsWith(`${sessionCookie}=`)) &&
  reply.statusCode < 300

const emailOf = ({ body }: FastifyRequest): string | undefined =>
  body && typeof body === 'object' && 'email' in body && typeof body.email === 'string' ? body.email : undefined

const isFailure = (status: number) => status >= 400 && status < 500

/** Adds the limits of the routes. E-mail addresses are counted under keyed hashes. */
export const limitRates = (
  app: FastifyInstance,
  { box, limitScale = 1, stopwatch = () => performance.now(), pause = delay }: RateLimitDeps,
): Attempts => {
  const counted = attempts(stopwatch)
  app.decorateRequest('countedAttempts')
  app.decorateRequest('isBeyondLimit', false)
  app.decorateRequest('isSigned', false)

  /** IPv6: a customer has a whole /64. */
  const addressOf = (request: FastifyRequest) => normalizeIP(request.ip)

  /** What the attempt counts under; undefined when the limit is not for this request. */
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
      const { count, secondsLeft } = counted.add(key, limit.windowSeconds)
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
    if (!isFailure(reply.statusCode)) for (const key of request.countedAttempts ?? []) counted.takeBack(key)
    const email = emailOf(request)
    if (email && signsIn(reply)) rememberBrowser(box, request, reply, email)
  })

  return counted
}

/** Of a user, for all endpoints together whose records have the same `costs`. The editor saves after each pause of 1.2 s at most. */
const byCosts = {
  computing: { max: 30, windowSeconds: 60 },
  large: { max: 240, windowSeconds: 60 },
}

type GeneralLimit = Pick<RateLimitDeps, 'limitScale'>

const count = (counted: Attempts, whose: string, { limitScale = 1 }: GeneralLimit, limit = general) => {
  const { count, secondsLeft } = counted.add(whose, limit.windowSeconds)
  return { isWithin: count <= limit.max * limitScale, secondsLeft }
}

/** One more request of a browser session: whether that is still what a person with all their tabs may ask. */
export const countSession = (counted: Attempts, sessionId: string, limit: GeneralLimit) =>
  count(counted, `session ${sessionId}`, limit)

/** Refuses what costs more than a user may take, before its body is read. */
export const limitCosts = (
  counted: Attempts,
  { signedIn, routeOptions }: FastifyRequest,
  limit: GeneralLimit,
): void => {
  const costs = routeOptions.config.endpoint?.costs
  if (!costs || !signedIn) return
  const { isWithin, secondsLeft } = count(counted, `${costs} ${signedIn.id}`, limit, byCosts[costs])
  if (!isWithin) throw new Refused('too_many_attempts', undefined, Math.ceil(secondsLeft))
}

/** Refuses what no person and no tab of ours does: counted by session, or by address for visitors. */
export const limitAll = (counted: Attempts, { signedIn, ip }: FastifyRequest, limit: GeneralLimit): void => {
  const { isWithin, secondsLeft } = signedIn
    ? countSession(counted, signedIn.sessionId, limit)
    : count(counted, `address ${normalizeIP(ip)}`, limit)
  if (!isWithin) throw new Refused('too_many_attempts', undefined, Math.ceil(secondsLeft))
}
