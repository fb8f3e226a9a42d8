import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lruMap } from '../lru-map.ts'
import { type BrowserSessions, sessionCookie } from './browser-sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    unchangedPolls: UnchangedPolls
  }
}

export interface UnchangedPolls {
  /**
   * To be called when the reply to a GET is about to be a 304: further requests with the same tag are answered alike, as long
   * as `isStill` says so. It is asked anew each time, gets the request's headers, and must not ask the database.
   */
  remember(request: FastifyRequest, reply: FastifyReply, isStill: IsStill): void
}

type IsStill = (headers: FastifyRequest['headers']) => boolean

interface Poll {
  userId: string
  url: string
  protocol: string
  isStill: IsStill
  /** Names and values in turn: all of the full reply's but the id of the request. */
  headers: string[]
}

export interface UnchangedPollsDeps {
  browserSessions: Pick<BrowserSessions, 'remembered'>
  /** Counts the request, and throws when there were too many. */
  limit: (request: FastifyRequest) => void
}

/** About 1 kB each. */
const rememberedPolls = 10_000

/** As the server gave it: anything unusual is left to the full reading of cookies. */
const tokenOf = new RegExp(`(?:^|; )${sessionCookie}=([\\w-]+)(?:;|$)`)

const headersOf = (reply: FastifyReply): string[] =>
  Object.entries(reply.getHeaders())
    .filter(([name]) => name !== 'x-correlation-id')
    .flatMap(([name, value]) => [name, String(value)])

/**
 * Answers a poll that was answered 304 before at the door: session, limits and freshness are checked as always, from memory,
 * and the reply has the headers that the full way gave it, but none of the other work of a request is done.
 */
export const answerUnchangedPolls = (app: FastifyInstance, { browserSessions, limit }: UnchangedPollsDeps): void => {
  /** By the request's `If-None-Match`. */
  const polls = lruMap<string, Poll>(rememberedPolls)

  app.decorate('unchangedPolls', {
    remember(request, reply, isStill) {
      const { url, protocol, user, headers } = request
      const asked = headers['if-none-match']
      if (asked === undefined || request.method !== 'GET') return
      // Only then it has the headers of every hook.
      reply.raw.once('finish', () => {
        if (reply.statusCode !== 304 || reply.hasHeader('set-cookie')) return
        polls.set(asked, { userId: user.id, url, protocol, isStill, headers: headersOf(reply) })
      })
    },
  })

  /** The poll that this request repeats; undefined for everything that has to go the full way. */
  const findPoll = (request: FastifyRequest): Poll | undefined => {
    const { headers, method, url, protocol } = request
    const asked = headers['if-none-match']
    const poll = asked === undefined || method !== 'GET' ? undefined : polls.get(asked)
    if (!poll || poll.url !== url || poll.protocol !== protocol) return undefined
    const token = tokenOf.exec(headers.cookie ?? '')?.[1]
    const session = token && browserSessions.remembered(token)
    if (!session || session.userId !== poll.userId || !poll.isStill(headers)) return undefined
    request.signedIn = { id: session.userId, sessionId: session.sessionId }
    return poll
  }

  app.addHook('onRequest', (request, reply, done) => {
    try {
      const poll = findPoll(request)
      if (!poll) return done()
      limit(request)
      reply.hijack()
      reply.raw.writeHead(304, [...poll.headers, 'x-correlation-id', request.id]).end()
    } catch (error) {
      done(error as Error)
    }
  })
}
