import { flowFolderEndpoints } from '@prosa/contracts/http/flows'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findFlowFolders } from './queries.ts'

export const flowFolderRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, flowFolderEndpoints.list, reading(ports, ['flow-folders', 'flows']), ({ user }) =>
      findFlowFolders(ports.pool, user.id),
    )
  }
