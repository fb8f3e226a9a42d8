import type { Endpoint, PathParameters } from '@prosa/contracts/http/endpoint'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onResponseAsyncHookHandler,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import { z } from 'zod'
import type { KeyGate } from './keys.ts'
import { type ReadingRecorder, wasRecorded } from './reading/recorded-readings.ts'
import { requireUser } from './require-user.ts'
import { type Roles, requireRole } from './roles.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
  interface FastifyInstance {
    /** The service whose routes are registered here; none in tests of single routes. */
    answeringService?: string
  }
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

interface Contract<E extends Endpoint> {
  Params: E extends { params: infer Schema } ? OutputOf<Schema> : PathParameters<E>
  Querystring: E extends { query: infer Schema } ? OutputOf<Schema> : unknown
  Body: E extends { body: infer Schema } ? OutputOf<Schema> : unknown
  Reply: { [Status in keyof E['replies']]: OutputOf<E['replies'][Status]> }
}

type RequestTo<E extends Endpoint> = FastifyRequest<Contract<E>>
type ReplyTo<E extends Endpoint> = FastifyReply<Contract<E>>

/** Statuses other than 200 use `reply.code(…).send(…)`. */
type Answer<E extends Endpoint> = FastifyReply | (E['replies'] extends { 200: infer Schema } ? OutputOf<Schema> : never)

type Handler<E extends Endpoint> = (request: RequestTo<E>, reply: ReplyTo<E>) => Answer<E> | Promise<Answer<E>>

type RouteOptions<E extends Endpoint> = Pick<
  RouteShorthandOptions,
  'preHandler' | 'onSend' | 'attachValidation' | 'exposeHeadRoute' | 'bodyLimit'
> & {
  onResponse?: (request: RequestTo<E>, reply: ReplyTo<E>) => Promise<void>
  config?: Omit<FastifyContextConfig, 'endpoint'>
  /** Adds checks that only the server can make. */
  body?: E extends { body: infer Schema } ? Schema : never
  /** A repeated command that ended the session still gets its first reply. */
  refusesVisitorsItself?: true
} & (E extends { key: string } ? { keys: KeyGate } : { keys?: never }) &
  (E extends { role: string } ? { roles: Roles } : { roles?: never }) &
  (E extends { reads: { what: string } } ? { readings: ReadingRecorder } : { readings?: never })

const admission = (
  { path, open, role, key, alsoInBrowser }: Endpoint,
  roles: Roles | undefined,
  keys: KeyGate | undefined,
) => {
  if (open) return undefined
  if (key !== undefined) {
    if (keys === undefined) throw new Error(`${path} needs a key, and keys are not wired`)
    return keys.require(key, alsoInBrowser === true)
  }
  if (role === undefined) return requireUser
  if (roles === undefined) throw new Error(`${path} needs a role, and roles are not wired`)
  return requireRole(roles, role)
}

const paramsOf = (path: string) => {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  return names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
}

type Answering = (request: FastifyRequest, reply: FastifyReply) => unknown

const computing =
  ({ computations }: FastifyInstance, handler: Answering): RouteHandlerMethod =>
  (request, reply) =>
    computations.run(request, reply, () => handler(request, reply))

/** Serializing blocks the event loop. */
const inTurn =
  ({ turns }: FastifyInstance, handler: Answering): RouteHandlerMethod =>
  async (request, reply) => {
    const answer = await handler(request, reply)
    await turns.next(request.user.id)
    return answer
  }

const handlerOf = (app: FastifyInstance, { costs, method }: Endpoint, handler: Answering): RouteHandlerMethod => {
  if (costs === 'computing') return computing(app, handler)
  return costs === 'large' && method === 'GET' ? inTurn(app, handler) : handler
}

type PreHandlers = RouteShorthandOptions['preHandler']

const recordingFirst = ({ reads }: Endpoint, readings: ReadingRecorder | undefined, preHandler: PreHandlers) => {
  if (reads === undefined || reads === 'nothing' || reads.of !== 'all') return preHandler
  if (readings === undefined) throw new Error(`readings of  are not recorded${reads.what}`)
  const { what } = reads
  const record = (request: FastifyRequest) => readings.record(request, { tenantId: null, what, record: null })
  return [record, ...(preHandler === undefined ? [] : [preHandler].flat())]
}

/** Replies with personal data only after a recorded reading. */
const recording = ({ reads, path }: Endpoint, handler: Answering): Answering => {
  if (reads === undefined || reads === 'nothing') return handler
  return async (request, reply) => {
    const answer = await handler(request, reply)
    if (!wasRecorded(request)) throw new Error(`${path} shows personal data, and the reading was not recorded`)
    return answer
  }
}

/** Fastify warns of undefined schemas. */
const withoutGaps = (schema: FastifySchema): FastifySchema =>
  Object.fromEntries(Object.entries(schema).filter(([, part]) => part !== undefined))

/** `body`: instead of the recorded one. */
export const schemaOf = (
  { path, params = paramsOf(path), query, ...endpoint }: Endpoint,
  body: unknown = endpoint.body,
): FastifySchema => withoutGaps({ params, querystring: query, body, response: endpoint.replies })

const requireAnswering = (app: FastifyInstance, { service, method, path }: Endpoint) => {
  if (app.answeringService !== undefined && app.answeringService !== service)
    throw new Error(`${method} ${path} is answered by ${app.answeringService}, its record names ${service}`)
}

/** Access is checked before the body is read. */
export function route<const E extends Endpoint & { role?: never }>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void
export function route<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  options: RouteOptions<E>,
  handler: Handler<E>,
): void
export function route<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  ...settings: [Handler<E>] | [RouteOptions<E>, Handler<E>]
): void {
  const [options, handler] = settings.length === 1 ? [undefined, settings[0]] : settings
  const { body, config, roles, keys, readings, refusesVisitorsItself, onResponse, preHandler, ...hooks } =
    options ?? ({} as RouteOptions<E>)
  const { method, path }: Endpoint = endpoint
  requireAnswering(app, endpoint)
  app.route({
    ...hooks,
    preHandler: recordingFirst(endpoint, readings, preHandler),
    method,
    url: path,
    onRequest: refusesVisitorsItself ? undefined : admission(endpoint, roles, keys),
    onResponse: onResponse as onResponseAsyncHookHandler | undefined,
    config: { ...config, endpoint },
    schema: schemaOf(endpoint, body),
    handler: handlerOf(app, endpoint, recording(endpoint, handler as Answering)),
  })
}
