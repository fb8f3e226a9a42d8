import type { FastifyRequest } from 'fastify'
import { refuse } from './problem.ts'

/** 401 for visitors. */
export const requireUser = async (request: FastifyRequest): Promise<void> => {
  if (!request.signedIn) throw refuse('not_signed_in')
  request.user = request.signedIn
}
