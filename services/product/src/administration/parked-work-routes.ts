import { operationEndpoints } from '@prosa/contracts/http/administration/operations'
import { listParked } from '@prosa/kernel/consumers/engine/parked-queries'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { decideOnParked } from '@prosa/kernel/operations/decide-on-parked'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'

const maxListed = 500

/** Any process serves them. */
export const parkedWorkRoutes = (
  ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'pool' | 'roles'>,
): FastifyPluginAsync => {
  const { pool, roles } = ports
  const decideOn = decideOnParked(ports)

  const contextOf = (request: FastifyRequest, reason: string | undefined): CommandContext => ({
    ...commandContext(request),
    actor: { kind: 'admin', id: request.user.id },
    tenant: null,
    ...(reason === undefined ? {} : { reason }),
  })

  const decide = async (
    request: FastifyRequest,
    id: string,
    type: 'RetryWork' | 'ReleaseWork',
    reason: string | undefined,
  ) => {
    if (!(await decideOn(id, type, contextOf(request, reason)))) throw refuse('parked_work_not_found')
  }

  return async (app) => {
    route(app, operationEndpoints.parkedWork, { roles }, async () => {
      const rows = await listParked(pool, maxListed)
      return rows.map(({ parkedAt, ...row }) => ({ ...row, parkedAt: parkedAt.toISOString() }))
    })

    route(app, operationEndpoints.retryWork, { roles }, async (request, reply) => {
      const { id } = request.params
      await decide(request, id, 'RetryWork', request.body?.reason)
      return reply.code(202).send({ id })
    })

    route(app, operationEndpoints.releaseWork, { roles }, async (request, reply) => {
      const { id } = request.params
      await decide(request, id, 'ReleaseWork', request.body.reason)
      return reply.code(202).send({ id })
    })
  }
}
