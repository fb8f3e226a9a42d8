import { operationEndpoints } from '@prosa/contracts/http/operations'
import type { FastifyPluginAsync } from 'fastify'
import type { ReadModelRebuildHandler } from '../consumers/projections/read-model-rebuild.ts'
import { isReadModel } from '../consumers/projections/rebuild-queries.ts'
import { administratorContext } from '../http/administrator-context.ts'
import { refuse } from '../http/problem.ts'
import { route } from '../http/route.ts'
import type { Ports } from '../ports.ts'
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
      const context = administratorContext(request, { owner: null, reason: request.body?.reason })
      const outcome = await rebuilds(name, { type: 'RequestRebuild', data }, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
      return reply.code(202).send({ name })
    })
  }
