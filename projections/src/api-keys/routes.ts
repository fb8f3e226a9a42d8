import { keyEndpoints } from '@prosa/contracts/http/keys'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findApiKeys } from './queries.ts'

export const apiKeyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, keyEndpoints.list, reading(ports, ['api-keys']), ({ user }) => findApiKeys(ports.pool, user.id))
  }
