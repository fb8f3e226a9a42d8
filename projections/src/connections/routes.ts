import { connection } from '@prosa/contracts/http/connections'
import { requireUser } from '@prosa/kernel/http/app'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readYourWrites } from '../runner/read-your-writes.ts'
import { readConnections } from './queries.ts'

export const connectionRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    const connectionsOf = readConnections(ports)
    app.get(
      '/api/whatsapp/connections',
      {
        onRequest: requireUser,
        preHandler: readYourWrites(ports.readModels, ['connections']),
        schema: { response: { 200: z.array(connection) } },
      },
      ({ user }) => connectionsOf(user.id),
    )
  }
