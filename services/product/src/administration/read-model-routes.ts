import { operationEndpoints } from '@prosa/contracts/http/administration/operations'
import type { ReadModelRebuildHandler } from '@prosa/kernel/consumers/projections/rebuild/read-model-rebuild'
import { isReadModel } from '@prosa/kernel/consumers/projections/rebuild/rebuild-queries'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reportReadModels } from './report-read-models.ts'

/** Any process serves them. */
export const readModelRoutes =
  ({ pool, roles }: Pick<Ports, 'pool' | 'roles'>, rebuilds: ReadModelRebuildHandler): FastifyPluginAsync =>
  async (app) => {
    route(app, operationEndpoints.readModels, { roles }, () => reportReadModels(pool))

    route(app, operationEndpoints.rebuildReadModel, { roles }, async (request, reply) => {
      const { name } = request.params
      if (!(await isReadModel(pool, name))) throw refuse('read_model_not_found')
      const data = { rebuildId: request.command.id, readModel: name }
      const context = administratorContext(request, { tenant: null, reason: request.body?.reason })
      const outcome = await rebuilds(name, { type: 'RequestRebuild', data }, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
      return reply.code(202).send({ name })
    })
  }
