import { randomUUID } from 'node:crypto'
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
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { EventStoreUnavailable, type Position } from '../event-store/port.ts'
import type { Logger } from '../log.ts'
import { isUnreachable } from '../postgres/is-unreachable.ts'
import { type BrowserSessions, sessionCookie } from './browser-sessions.ts'
import { isOwnOrigin } from './own-origin.ts'
import { type FieldError, Refused } from './problem.ts'

export interface SignedIn {
  id: string
  sessionId: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, by the browser session's cookie; undefined for visitors. */
    signedIn: SignedIn | undefined
    /** The same, for routes behind `requireUser`. */
    user: SignedIn
  }
}

export interface AppDeps {
  log: Logger
  browserSessions: BrowserSessions
  /** Origins from which browsers may send commands, beside the address under which the server itself was called. */
  trustedOrigins: readonly string[]
  trustProxy?: boolean
}

const bodyLimitBytes = 64 * 1024
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const refusalOf = (error: FastifyError | Refused): Refusal => {
  if (error instanceof Refused) return error.refusal
  if (hasZodFastifySchemaValidationErrors(error)) return 'invalid_request'
  if (error instanceof EventStoreUnavailable || isUnreachable(error)) return 'unavailable'
  const status = error.statusCode ?? 500
  if (status === 413) return 'body_too_large'
  if (status === 429) return 'too_many_attempts'
  return status >= 400 && status < 500 ? 'malformed_body' : 'unexpected'
}

const fieldErrors = (error: FastifyError | Refused): FieldError[] | undefined => {
  if (error instanceof Refused) return error.errors
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined
  return error.validation.map(({ instancePath, message }) => ({
    field: instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: message ?? refusals.invalid_request.title,
  }))
}

/** Replies with a problem document; the only place where refusals meet HTTP. */
const sendProblem = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal, errors?: FieldError[]) => {
  const { status, title } = refusals[refusal]
  return reply
    .code(status)
    .type('application/problem+json; charset=utf-8')
    .send({ type: refusal, title, status, errors, correlationId: request.id })
}

/** The HTTP application under all services: sessions, origin check, correlation ids, problem replies. */
export const createApp = async ({
  log,
  browserSessions,
  trustedOrigins,
  trustProxy = false,
}: AppDeps): Promise<FastifyInstance> => {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: bodyLimitBytes,
    trustProxy,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // Browsers say 'JSON' also where they send nothing: that is no body, not a malformed one.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parseJson(request, String(body), done)
  })
  await app.register(cookie)
  app.decorateRequest('signedIn', undefined)
  app.decorateRequest('user')

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-correlation-id', request.id)
    if (!request.url.startsWith('/api/')) return
    reply.header('cache-control', 'no-store')
    if (!safeMethods.has(request.method) && !isOwnOrigin(request.headers, trustedOrigins))
      throw new Refused('foreign_origin')
    const token = request.cookies[sessionCookie]
    const session = token && (await browserSessions.resolve(token))
    if (session) request.signedIn = { id: session.userId, sessionId: session.sessionId }
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error)
    if (refusals[refusal].status >= 500)
      log.error({ err: error, correlationId: request.id, route: request.routeOptions.url }, refusal)
    return sendProblem(request, reply, refusal, fieldErrors(error))
  })
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, 'route_not_found'))
  return app
}

/** A hook for routes that need a signed-in user: 401 for visitors. */
export const requireUser = async (request: FastifyRequest): Promise<void> => {
  if (!request.signedIn) throw new Refused('not_signed_in')
  request.user = request.signedIn
}

/** Tells the client how far the log has got by its command, so that its next GET can wait for it. */
export const replyPosition = (reply: FastifyReply, position: Position | null): void => {
  if (position) reply.header(positionHeader, position)
}
