import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { FastifyBaseLogger, FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lruMap } from '../../lru-map.ts'
import type { Authenticator } from '../authentication/authenticator.ts'

declare module 'fastify' {
  interface FastifyInstance {
    unchangedPolls: UnchangedPolls
  }
}

export interface UnchangedPolls {
  /**
   * Called before a 304: later requests with its tag get the same, while `isStill` returns true. `isStill` runs each time and must not
   * query the database.
   */
  cache(request: FastifyRequest, reply: FastifyReply, isStill: IsStill): void
  onAnswered(listener: (route: string, ms: number) => void): void
}

type IsStill = (headers: IncomingHttpHeaders) => boolean

interface Poll {
  userId: string
  url: string
  /** The template. */
  route: string
  isStill: IsStill
  /** Names and values alternate. */
  headers: string[]
}

export interface UnchangedPollsDeps {
  authenticator: Pick<Authenticator, 'cached'>
  isWithinLimit: (sessionId: string) => boolean
}

/** About 1 kB each. */
const maxCachedPolls = 10_000

/** RFC 9110, 15.4.5; node adds the date. */
const repeated = new Set(['cache-control', 'content-location', 'etag', 'expires', 'vary'])

const leaveOnlyRepeated = (reply: FastifyReply) => {
  for (const name of Object.keys(reply.getHeaders())) {
    if (repeated.has(name) || name === 'set-cookie') continue
    reply.removeHeader(name)
    reply.raw.removeHeader(name)
  }
}

const headersOf = (reply: FastifyReply): string[] =>
  Object.entries(reply.getHeaders())
    .filter(([name]) => repeated.has(name))
    .flatMap(([name, value]) => [name, String(value)])

export interface PollServer {
  serverFactory(fullWay: RequestListener, options: FastifyHttpOptions<Server, FastifyBaseLogger>): Server
  open(app: FastifyInstance, deps: UnchangedPollsDeps): void
}

/**
 * Answers repeated 304s before Fastify, from memory: session, limits and freshness. A Fastify hook would cost a third of the rate
 * (docs/decisions/0013).
 */
export const pollServer = (): PollServer => {
  let answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  return {
    serverFactory(fullWay, options) {
      const server = createServer(options.http ?? {}, (request, response) => {
        // A draining server announces that in full replies.
        if (!server.listening || !answer(request, response)) fullWay(request, response)
      })
      // Fastify configures its own server so.
      server.keepAliveTimeout = options.keepAliveTimeout ?? server.keepAliveTimeout
      server.requestTimeout = options.requestTimeout ?? server.requestTimeout
      server.setTimeout(options.connectionTimeout)
      return server
    },
    open(app, deps) {
      answer = answerUnchangedPolls(app, deps)
    },
  }
}

/** Returns true when it answered. */
const answerUnchangedPolls = (app: FastifyInstance, { authenticator, isWithinLimit }: UnchangedPollsDeps) => {
  /** By the request's `If-None-Match`. */
  const polls = lruMap<string, Poll>(maxCachedPolls)
  const listeners: ((route: string, ms: number) => void)[] = []

  app.decorate('unchangedPolls', {
    cache(request, reply, isStill) {
      const { url, user } = request
      const asked = request.headers['if-none-match']
      const route = request.routeOptions.url
      leaveOnlyRepeated(reply)
      if (asked === undefined || route === undefined || request.method !== 'GET') return
      // Every hook has then set its headers.
      reply.raw.once('finish', () => {
        if (reply.statusCode !== 304 || reply.hasHeader('set-cookie')) return
        polls.set(asked, { userId: user.id, url, route, isStill, headers: headersOf(reply) })
      })
    },
    onAnswered: (listener) => void listeners.push(listener),
  })

  const findPoll = ({ headers, method, url }: IncomingMessage): Poll | undefined => {
    const asked = headers['if-none-match']
    const poll = asked === undefined || method !== 'GET' ? undefined : polls.get(asked)
    if (!poll || poll.url !== url) return undefined
    const session = authenticator.cached(headers)
    if (!session || session.mustChangePassword || session.userId !== poll.userId || !poll.isStill(headers))
      return undefined
    return isWithinLimit(session.sessionId) ? poll : undefined
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const began = performance.now()
    const poll = findPoll(request)
    if (!poll) return false
    response.writeHead(304, poll.headers).end()
    for (const listener of listeners) listener(poll.route, performance.now() - began)
    return true
  }
}
