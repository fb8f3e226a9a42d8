import { labelEndpoints } from '@prosa/contracts/http/labels'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findLabels } from './queries.ts'

export const labelRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, labelEndpoints.list, reading(ports, ['labels']), ({ user }) => findLabels(ports.pool, user.id))
  }
