import { hash } from 'node:crypto'
import { positionHeader } from '@prosa/contracts/http/problem'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readYourWrites } from './read-your-writes.ts'

/** `W/"<digest>"`, or `W/"<digest>.<end, milliseconds since 1970>"`. */
const tagsAsked = /"([\w-]+)(?:\.(\d+))?"/g

/**
 * For GETs of own data: waits for own writes; 304 without a query while the tenant's rows here and in `also` (no wait) are unchanged. Other
 * inputs need `holdsUntil`.
 */
export const reading = (
  { readModels: gate, clock }: Pick<Ports, 'readModels' | 'clock'>,
  readModels: readonly string[],
  { also = [] }: { also?: readonly string[] } = {},
) => {
  const all = [...readModels, ...also]
  /** All inputs except time; undefined while changes may be missed. */
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

  const findUnchanged = (tag: string, asked: string | undefined) => {
    for (const [found, known, end] of asked?.matchAll(tagsAsked) ?? [])
      if (known === tag && !isOver(end)) return { etag: `W/${found}`, end }
    return undefined
  }

  /** Before the query: later changes count at the next poll. */
  const answerUnchanged = async (request: FastifyRequest, reply: FastifyReply) => {
    const { user, url, headers } = request
    const basis = basisOf(user.id, url)
    if (basis === undefined) return
    const tag = hash('sha256', basis, 'base64url')
    const unchanged = findUnchanged(tag, headers['if-none-match'])
    reply.header('etag', unchanged?.etag ?? `W/"${tag}"`)
    if (!unchanged) return
    request.server.unchangedPolls.cache(
      request,
      reply,
      (later) =>
        basisOf(user.id, url) === basis &&
        !isOver(unchanged.end) &&
        isShown(request.server.positions.latestOf(user.id, later[positionHeader])),
    )
    return reply.code(304).send()
  }

  /** A refusal must not reveal row changes. */
  const onlySuccess = async (_: FastifyRequest, reply: FastifyReply) => {
    if (reply.statusCode !== 200 && reply.statusCode !== 304) reply.removeHeader('etag')
  }

  return {
    preHandler: [readYourWrites(gate, readModels, also), answerUnchanged],
    onSend: onlySuccess,
  }
}

/** Validity without row changes. */
export const holdsUntil = (reply: FastifyReply, end: Instant): void => {
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string') reply.header('etag', tag.replace(/"$/, `.${Date.parse(end)}"`))
}
