import { flowRunEndpoints } from '@prosa/contracts/http/flow-runs'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { requireFlow } from '../flow-runs/require-flow.ts'
import { reading } from '../reading/reading.ts'
import { findFlowStatistics, findFlowSummaries } from './queries.ts'

export const flowStatisticRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    const hooks = reading(ports, ['flow-runs', 'flow-statistics'], { also: ['contact-list'] })

    route(app, flowRunEndpoints.statistics, hooks, async ({ user, params }) =>
      findFlowStatistics(pool, user.id, await requireFlow(ports, user.id, params.id)),
    )

    route(app, flowRunEndpoints.summaries, hooks, ({ user }) => findFlowSummaries(pool, user.id))
  }
