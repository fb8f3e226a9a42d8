import { quickReply } from '@prosa/contracts/http/quick-replies'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reading } from '../runner/reading.ts'
import { findQuickReplies } from './queries.ts'

export const quickReplyRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/quick-replies',
      { ...reading(ports, ['quick-replies']), schema: { response: { 200: z.array(quickReply) } } },
      ({ user }) => findQuickReplies(ports.pool, user.id),
    )
  }
