import { flowEndpoints } from '@prosa/contracts/http/flows'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findDefaultFlow } from './queries.ts'

export const defaultFlowRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, flowEndpoints.readDefault, reading(ports, ['default-flow']), async ({ user }) => ({
      flowId: await findDefaultFlow(ports.pool, user.id),
    }))
  }
