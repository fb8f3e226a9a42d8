import { type Connection, connection } from '@prosa/contracts/http/connections'
import { later } from '@prosa/kernel/clock'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { holdsUntil, reading } from '../runner/reading.ts'
import { readConnections } from './queries.ts'

/** The server's time in the reply goes stale: screens word since when a line is up or down by it, at least to the day. */
const restMilliseconds = 60_000

/** Its QR code comes and goes beside the log, and a countdown runs by the server's time. */
const isLinking = ({ status, qrDeadline }: Connection) => status === 'qr_ready' || qrDeadline !== null

export const connectionRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    const connectionsOf = readConnections(ports)
    app.get(
      '/api/whatsapp/connections',
      {
        ...reading(ports, ['connections']),
        schema: { response: { 200: z.array(connection) } },
      },
      async ({ user }, reply) => {
        const found = await connectionsOf(user.id)
        holdsUntil(reply, later(ports.clock.now(), found.some(isLinking) ? 0 : restMilliseconds))
        return found
      },
    )
  }
