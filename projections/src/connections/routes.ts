import {
  type Connection,
  connection,
  networks as networkList,
  quickSession,
  sessionQrCode,
  sessionStatusOf,
  whatsappSession,
} from '@prosa/contracts/http/connections'
import { later } from '@prosa/kernel/clock'
import { requireUser } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { holdsUntil, reading } from '../runner/reading.ts'
import { type Network, readConnections } from './queries.ts'

/** The server's time in the reply goes stale: screens word since when a line is up or down by it, at least to the day. */
const restMilliseconds = 60_000

/** Its codes come and go beside the log, and a countdown runs by the server's time. */
const isLinking = ({ status, qrDeadline }: Connection) => status === 'qr_ready' || qrDeadline !== null

/**
 * The connections under the three names that screens have for them: connections, quick sessions, sessions. `networks` are those
 * that a new connection may link to; the first one is that of connections without a choice.
 */
export const connectionRoutes =
  (ports: Ports, networks: readonly [Network, ...Network[]]): FastifyPluginAsyncZod =>
  async (app) => {
    const connectionsOf = readConnections(ports, networks[0])
    const ownConnections = reading(ports, ['connections'])

    const read = async (owner: string, reply: FastifyReply, rest = restMilliseconds) => {
      const found = await connectionsOf(owner)
      holdsUntil(reply, later(ports.clock.now(), found.some(isLinking) ? 0 : rest))
      return found
    }

    app.get(
      '/api/whatsapp/connections',
      { ...ownConnections, schema: { response: { 200: z.array(connection) } } },
      ({ user }, reply) => read(user.id, reply),
    )

    app.get(
      '/api/whatsapp/quick-sessions',
      { ...ownConnections, schema: { response: { 200: z.array(quickSession) } } },
      ({ user }, reply) => read(user.id, reply),
    )

    app.get(
      '/api/whatsapp/sessions',
      { ...ownConnections, schema: { response: { 200: z.array(whatsappSession) } } },
      async ({ user }, reply) => {
        const found = await read(user.id, reply)
        return found.map(({ id, name, status, phoneNumber, lastActivity }) => ({
          name,
          token: id,
          status: sessionStatusOf(status),
          phoneNumber,
          lastActivity,
        }))
      },
    )

    app.get(
      '/api/whatsapp/qr/:token',
      { ...ownConnections, schema: { params: z.object({ token: z.string() }), response: { 200: sessionQrCode } } },
      async ({ user, params: { token } }, reply) => {
        const found = (await read(user.id, reply, 0)).find(({ id }) => id === token)
        if (!found) throw refuse('session_not_found')
        if (found.qrCode === null) throw refuse('qr_code_not_ready')
        return { qrCode: found.qrCode }
      },
    )

    app.get(
      '/api/whatsapp/networks',
      { onRequest: requireUser, schema: { response: { 200: networkList } } },
      async () => [...networks],
    )
  }
