import { hash } from 'node:crypto'
import { positionHeader } from '@prosa/contracts/http/problem'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readYourWrites } from './read-your-writes.ts'

/** `W/"<digest of what the reply depends on>"`; with one that time changes too `W/"<digest>.<milliseconds since 1970>"`. */
const tagsAsked = /"([\w-]+)(?:\.(\d+))?"/g

/**
 * Everything that a GET of a subscriber's own data needs beside its record: waits for the subscriber's own writes, and answers
 * 304 without a query while no row of the subscriber has changed in these read models. A reply that depends on anything else
 * declares until when it holds, with `holdsUntil`. The reply depends on the read models `also` too, in which it waits for nothing.
 */
export const reading = (
  { readModels: gate, clock }: Pick<Ports, 'readModels' | 'clock'>,
  readModels: readonly string[],
  { also = [] }: { also?: readonly string[] } = {},
) => {
  const all = [...readModels, ...also]
  /** Whatever the reply depends on, but the time; undefined while changes may go unheard. */
  const basisOf = (user: string, url: string): string | undefined => {
    let basis = `${user} ${url}`
    for (const readModel of all) {
      const version = gate.version(readModel, user)
      if (version === undefined) return undefined
      basis += ` ${version}`
    }
    return basis
  }
  const isOver = (end: string | undefined) => end !== undefined && Number(end) <= Date.parse(clock.now())
  const isShown = (position: Position | undefined) =>
    position === undefined || readModels.every((name) => (gate.position(name) ?? '') >= position)

  /** The one among the tags asked about that is still right. */
  const findUnchanged = (tag: string, asked: string | undefined) => {
    for (const [found, known, end] of asked?.matchAll(tagsAsked) ?? [])
      if (known === tag && !isOver(end)) return { etag: `W/${found}`, end }
    return undefined
  }

  /** Before the query, so that what changes while it runs counts as changed at the next poll. */
  const answerUnchanged = async (request: FastifyRequest, reply: FastifyReply) => {
    const { user, url, headers } = request
    const basis = basisOf(user.id, url)
    if (basis === undefined) return
    const tag = hash('sha256', basis, 'base64url')
    const unchanged = findUnchanged(tag, headers['if-none-match'])
    reply.header('etag', unchanged?.etag ?? `W/"${tag}"`)
    if (!unchanged) return
    request.server.unchangedPolls.remember(
      request,
      reply,
      (later) =>
        basisOf(user.id, url) === basis &&
        !isOver(unchanged.end) &&
        isShown(request.server.positions.latestOf(user.id, later[positionHeader])),
    )
    return reply.code(304).send()
  }

  /** A refusal reveals nothing about the rows. */
  const onlySuccess = async (_: FastifyRequest, reply: FastifyReply) => {
    if (reply.statusCode !== 200 && reply.statusCode !== 304) reply.removeHeader('etag')
  }

  return {
    preHandler: [readYourWrites(gate, readModels, also), answerUnchanged],
    onSend: onlySuccess,
  }
}

/** Sets until when the reply is right if no row changes; from that moment on it is read again. */
export const holdsUntil = (reply: FastifyReply, end: Instant): void => {
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string') reply.header('etag', tag.replace(/"$/, `.${Date.parse(end)}"`))
}
