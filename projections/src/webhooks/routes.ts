import { webhookEndpoints } from '@prosa/contracts/http/webhooks'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findWebhooks } from './queries.ts'

export const webhookRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, webhookEndpoints.list, reading(ports, ['webhooks']), ({ user }) => findWebhooks(ports.pool, user.id))
  }
