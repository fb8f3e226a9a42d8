import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import { positionHeader } from '@prosa/contracts/http/problem'
import { type Refusal, refusals } from '@prosa/contracts/refusals'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import { turns } from '../async/turns.ts'
import type { Clock } from '../clock.ts'
import type { Position } from '../event-store/port.ts'
import type { Logger } from '../observability/log.ts'
import type { RefusedRequests } from '../observability/refusals/refused-requests.ts'
import type { SecurityLog } from '../observability/security-log.ts'
import { isSecurityRefusal } from '../observability/security-log.ts'
import type { SecretBox } from '../privacy/secret-box.ts'
import type { Redis } from '../redis/redis.ts'
import type { Spending } from '../spending/spending.ts'
import { isGuarded, mayChange } from './api-request.ts'
import type { Authenticator } from './authentication/authenticator.ts'
import { repeatSafely } from './idempotency/idempotency.ts'
import { parseJsonBodies } from './json-body.ts'
import { limitBodyTime } from './limits/body-time.ts'
import { clientAddress, isOverTls } from './limits/client-address.ts'
import { computations } from './limits/computations.ts'
import { withFewFaults } from './limits/few-faults.ts'
import { limitChanges } from './limits/limit-changes.ts'
import { countSession, limitAll, limitCosts, limitKeys, limitRates } from './limits/rate-limits.ts'
import { correlateRequests } from './operation/correlate-requests.ts'
import { Refused } from './problem.ts'
import { answerClientError, refusalOf, sendProblem } from './problem-reply.ts'
import { type PositionTokens, positionTokens } from './reading/position-tokens.ts'
import { pollServer } from './reading/unchanged-polls.ts'
import { type Confinement, confinement, type Roles } from './roles.ts'
import { isOwnOrigin } from './sign-in/own-origin.ts'
import { isStorable } from './storable-text.ts'

export interface SignedIn {
  id: string
  sessionId: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For limits of requests outside Fastify. */
    addressOf(request: IncomingMessage): string
    isOverTls(request: IncomingMessage): boolean
    positions: PositionTokens
  }
  interface FastifyRequest {
    signedIn: SignedIn | undefined
    /** Only behind `requireUser`. */
    user: SignedIn
    /** The account of a sign-in attempt; for the security log only. */
    attemptedUserId: string | undefined
  }
}

/** Commands that were refused; Kiwify's deliveries are counted apart (docs/decisions/0058). A purpose that is asked for is no refusal. */
const isCounted = (refusal: Refusal, method: string, url: string | undefined): boolean =>
  method !== 'GET' &&
  url?.startsWith('/api/') === true &&
  refusal !== 'purpose_needed' &&
  refusals[refusal].status >= 400 &&
  refusals[refusal].status < 500

export interface AppDeps {
  log: Logger
  authenticator: Authenticator
  roles: Roles
  pool: Pool
  box: SecretBox
  redis?: Redis
  clock: Clock
  security: SecurityLog
  refusals?: RefusedRequests
  spending: Spending
  /** Allowed origins beside the server's own. */
  trustedOrigins: readonly string[]
  /** Trusts the last entry of X-Forwarded-For. */
  trustProxy?: boolean
  /** Multiplies every rate limit; 1 in production. */
  limitScale?: number
  onRefused?: (refusal: Refusal, request: FastifyRequest) => void
  stopwatch?: () => number
  pause?: (ms: number) => Promise<unknown>
}

const bodyLimitBytes = 64 * 1024
/** Includes the address; Node answers 431 beyond. */
const headerLimitBytes = 16 * 1024
/** Against slow senders; files may take longer. */
const bodyTimeMs = 60_000
const requestTimeoutMs = 15 * 60_000
/** `true` would trust the visitor's entries too; for a number Fastify trusts none. */
const isNextHop = (_address: string, hop: number): boolean => hop === 0

/** Sets who is signed in; throws for what no route may see. */
const admit = async (
  request: FastifyRequest,
  {
    authenticator,
    trustedOrigins,
    confine,
  }: Pick<AppDeps, 'authenticator' | 'trustedOrigins'> & { confine: Confinement },
): Promise<void> => {
  // An unstorable id would fail in the database.
  if (!Object.values(request.params ?? {}).every(isStorable)) throw new Refused('route_not_found')
  if (mayChange(request) && !isOwnOrigin(request.headers, trustedOrigins)) throw new Refused('foreign_origin')
  const session = await authenticator.authenticate(request.headers)
  if (session) request.signedIn = { id: session.userId, sessionId: session.sessionId }
  const { endpoint } = request.routeOptions.config
  if (session?.mustChangePassword && !endpoint?.open && !endpoint?.alsoWithTemporaryPassword)
    throw new Refused('password_must_be_changed')
  if (session) await confine(session.userId, endpoint)
}

const decorate = (
  app: FastifyInstance,
  { box, stopwatch, trustProxy = false }: AppDeps,
  loopTurns: ReturnType<typeof turns>,
): void => {
  app.decorate('addressOf', (request: IncomingMessage) => clientAddress(request, trustProxy))
  app.decorate('isOverTls', (request: IncomingMessage) => isOverTls(request, trustProxy))
  app.decorate('positions', positionTokens(box))
  app.decorateRequest('signedIn', undefined)
  app.decorateRequest('attemptedUserId', undefined)
  app.decorateRequest('user')
  app.decorateRequest('apiKey')
  app.decorateRequest('slice')
  app.decorate('turns', loopTurns)
  app.decorate('computations', computations({ turns: loopTurns, stopwatch }))
}

export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  // Describes faults in Portuguese where a schema has no message.
  z.config(z.locales.pt())
  const { log, authenticator, security, trustProxy = false } = deps
  const polls = pollServer()
  const confine = confinement(deps.roles, deps.stopwatch)
  const app = fastify({
    serverFactory: polls.serverFactory,
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustProxy && isNextHop,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    requestTimeout: requestTimeoutMs,
    http: { maxHeaderSize: headerLimitBytes },
    clientErrorHandler: answerClientError,
    // No hook is called for unreadable addresses.
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply.header('cache-control', 'no-store').header('x-correlation-id', request.id), error),
  })
  app.setValidatorCompiler<$ZodType>(({ schema, ...route }) =>
    validatorCompiler({ ...route, schema: withFewFaults(schema) }),
  )
  app.setSerializerCompiler(serializerCompiler)
  correlateRequests(app)
  const loopTurns = turns()
  parseJsonBodies(app, loopTurns)
  limitBodyTime(app, bodyTimeMs)
  decorate(app, deps, loopTurns)
  polls.open(app, {
    authenticator,
    isWithinLimit: (sessionId) => countSession(attempts, sessionId, deps).isWithin,
  })
  app.addHook('preClose', async () => app.computations.stop())
  await app.register(cookie)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-correlation-id', request.id)
    if (!isGuarded(request)) return
    reply.header('cache-control', 'no-store')
    await admit(request, { ...deps, confine })
    limitAll(attempts, request, deps)
    await limitCosts(attempts, request, deps)
  })
  const attempts = limitRates(app, deps)
  limitKeys(app, attempts, deps.limitScale)
  // Before changes are counted: a repeated command is no change.
  repeatSafely(app, { ...deps, attempts })
  limitChanges(app, deps)

  const recordRefusal = (
    refusal: Refusal,
    { signedIn, attemptedUserId, ip, method, routeOptions, id }: FastifyRequest,
  ) => {
    const { status } = refusals[refusal]
    const userId = signedIn?.id ?? attemptedUserId
    const isSecurity = isSecurityRefusal(refusal, status)
    if (isCounted(refusal, method, routeOptions.url) || isSecurity)
      deps.refusals?.note({ refusal, account: userId, route: `${method} ${routeOptions.url ?? ''}`, ip })
    if (!isSecurity) return
    security.record(refusal, { userId, ip, method, route: routeOptions.url, correlationId: id })
  }

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error)
    deps.onRefused?.(refusal, request)
    recordRefusal(refusal, request)
    // A flood of refusals must not fill the log.
    if (refusals[refusal].status >= 500 && !(error instanceof Refused))
      log.error({ err: error, correlationId: request.id, route: request.routeOptions.url }, refusal)
    return sendProblem(request, reply, error)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, new Refused('route_not_found')))
  return app
}

/** Replies with a token for which the next GET can wait. `tenant`: by default the signed-in user. */
export const replyPosition = (
  reply: FastifyReply,
  position: Position | null,
  tenant: string | undefined = reply.request.signedIn?.id,
): void => {
  if (position && tenant !== undefined)
    reply.header(positionHeader, reply.request.server.positions.tokenOf(tenant, position))
}
