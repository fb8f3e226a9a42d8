import {
  parkedWork,
  parkedWorkParams,
  releaseWorkBody,
  retryWorkBody,
  workAccepted,
} from '@prosa/contracts/http/operations'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { CommandContext } from '../command-handler.ts'
import { commandContext } from '../http/command-context.ts'
import { refuse } from '../http/problem.ts'
import { requireRole } from '../http/roles.ts'
import type { Ports } from '../ports.ts'
import { announceParked } from './announce-parked.ts'
import { parkedWorkHandler } from './parked-work.ts'
import { findParked, listParked } from './queries.ts'

const mostListed = 500

/** Parked work and what administrators decide about it. Any process serves it, whichever runs the worker. */
export const parkedWorkRoutes = ({
  store,
  codec,
  clock,
  pool,
  roles,
}: Pick<Ports, 'store' | 'codec' | 'clock' | 'pool' | 'roles'>): FastifyPluginAsyncZod => {
  const works = parkedWorkHandler({ store, codec, clock })

  const contextOf = (request: FastifyRequest, reason: string | undefined): CommandContext => ({
    ...commandContext(request),
    actor: { kind: 'admin', id: request.user.id },
    owner: null,
    ...(reason === undefined ? {} : { reason }),
  })

  const decide = async (
    request: FastifyRequest,
    id: string,
    type: 'RetryWork' | 'ReleaseWork',
    reason: string | undefined,
  ) => {
    const row = await findParked(pool, id)
    if (!row) throw refuse('parked_work_not_found')
    // The worker tells the log a moment after it parked; a decision must not come before that.
    await announceParked({ pool, works }, row)
    const { parkingId } = row
    const outcome = await works(id, { type, data: { parkingId } }, contextOf(request, reason))
    if (!outcome.ok) throw refuse(outcome.rejected)
  }

  return async (app) => {
    app.addHook('onRequest', requireRole(roles, 'admin'))

    app.get('/api/admin/parked-work', { schema: { response: { 200: z.array(parkedWork) } } }, async () => {
      const rows = await listParked(pool, mostListed)
      return rows.map(({ parkedAt, ...row }) => ({ ...row, parkedAt: parkedAt.toISOString() }))
    })

    app.post(
      '/api/admin/parked-work/:id/retry',
      { schema: { params: parkedWorkParams, body: retryWorkBody, response: { 202: workAccepted } } },
      async (request, reply) => {
        const { id } = request.params
        await decide(request, id, 'RetryWork', request.body?.reason)
        return reply.code(202).send({ id })
      },
    )

    app.post(
      '/api/admin/parked-work/:id/release',
      { schema: { params: parkedWorkParams, body: releaseWorkBody, response: { 202: workAccepted } } },
      async (request, reply) => {
        const { id } = request.params
        await decide(request, id, 'ReleaseWork', request.body.reason)
        return reply.code(202).send({ id })
      },
    )
  }
}
