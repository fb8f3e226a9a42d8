import { quickReplyEndpoints } from '@prosa/contracts/http/quick-replies'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findQuickReplies } from './queries.ts'

export const quickReplyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, quickReplyEndpoints.list, reading(ports, ['quick-replies']), ({ user }) =>
      findQuickReplies(ports.pool, user.id),
    )
  }
