import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { FastifyBaseLogger, FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lruMap } from '../lru-map.ts'
import { type BrowserSessions, sessionCookie } from './browser-sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    unchangedPolls: UnchangedPolls
  }
}

export interface UnchangedPolls {
  /**
   * To be called when the reply to a GET is about to be a 304: takes off the headers that a 304 need not repeat, and answers
   * further requests with the same tag alike, as long as `isStill` answers true. It is called each time, gets the request's
   * headers, and must not ask the database.
   */
  remember(request: FastifyRequest, reply: FastifyReply, isStill: IsStill): void
  /** Called for every request that is answered here, with the template of its route and its duration. */
  onAnswered(listener: (route: string, ms: number) => void): void
}

type IsStill = (headers: IncomingHttpHeaders) => boolean

interface Poll {
  userId: string
  url: string
  /** The template. */
  route: string
  isStill: IsStill
  /** Names and values in turn. */
  headers: string[]
}

export interface UnchangedPollsDeps {
  browserSessions: Pick<BrowserSessions, 'remembered'>
  /** Counts a request of a browser session; false when there were too many. */
  isWithinLimit: (sessionId: string) => boolean
}

/** About 1 kB each. */
const rememberedPolls = 10_000

/** As the server gave it: anything unusual is left to the full reading of cookies. */
const tokenOf = new RegExp(`(?:^|; )${sessionCookie}=([\\w-]+)(?:;|$)`)

/** What a 304 repeats of the full reply (RFC 9110, 15.4.5; the date is node's): who asks has the rest. It causes nothing that its id could be asked for. */
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
  /** For Fastify's `serverFactory`: makes the server that asks here first. */
  serverFactory(fullWay: RequestListener, options: FastifyHttpOptions<Server, FastifyBaseLogger>): Server
  /** From here on polls are remembered and answered. */
  open(app: FastifyInstance, deps: UnchangedPollsDeps): void
}

/**
 * Answers a poll that had a 304 last time before Fastify makes anything of it: session, limits and freshness
 * are checked as always, from memory, but none of the other work of a request is done. Whatever is unusual about a request
 * goes the full way. A hook of Fastify's would do as well, and costs a third of the rate (docs/decisions/0013).
 */
export const pollServer = (): PollServer => {
  let answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  return {
    serverFactory(fullWay, options) {
      const server = createServer(options.http ?? {}, (request, response) => {
        // A server that is draining announces that to browsers in replies of the full way.
        if (!server.listening || !answer(request, response)) fullWay(request, response)
      })
      // As Fastify sets up a server of its own.
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

/** Answers true when the request was answered. */
const answerUnchangedPolls = (app: FastifyInstance, { browserSessions, isWithinLimit }: UnchangedPollsDeps) => {
  /** By the request's `If-None-Match`. */
  const polls = lruMap<string, Poll>(rememberedPolls)
  const listeners: ((route: string, ms: number) => void)[] = []

  app.decorate('unchangedPolls', {
    remember(request, reply, isStill) {
      const { url, user } = request
      const asked = request.headers['if-none-match']
      const route = request.routeOptions.url
      leaveOnlyRepeated(reply)
      if (asked === undefined || route === undefined || request.method !== 'GET') return
      // Only then it has the headers of every hook.
      reply.raw.once('finish', () => {
        if (reply.statusCode !== 304 || reply.hasHeader('set-cookie')) return
        polls.set(asked, { userId: user.id, url, route, isStill, headers: headersOf(reply) })
      })
    },
    onAnswered: (listener) => void listeners.push(listener),
  })

  /** The poll that this request repeats; undefined for everything that has to go the full way. */
  const findPoll = ({ headers, method, url }: IncomingMessage): Poll | undefined => {
    const asked = headers['if-none-match']
    const poll = asked === undefined || method !== 'GET' ? undefined : polls.get(asked)
    if (!poll || poll.url !== url) return undefined
    const token = tokenOf.exec(headers.cookie ?? '')?.[1]
    const session = token && browserSessions.remembered(token)
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
