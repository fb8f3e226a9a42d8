import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refused } from '../problem.ts'
import type { Attempts } from './attempts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For limits that only a handler can name. */
    attempts: Attempts
  }
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
