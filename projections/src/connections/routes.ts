import {
  type Connection,
  connectionEndpoints,
  quickSessionEndpoints,
  sessionStatusOf,
  whatsappSessionEndpoints,
} from '@prosa/contracts/http/connections'
import { later } from '@prosa/kernel/clock'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { holdsUntil, reading } from '../reading/reading.ts'
import { type Network, readConnections } from './queries.ts'

/** Replies expire soon, as screens show durations by their server time. */
const restMs = 60_000

/** Codes are outside the log; the countdown uses the server's time. */
const isLinking = ({ status, qrDeadline }: Connection) => status === 'qr_ready' || qrDeadline !== null

/** Three names for the same rows. The first of `networks` is the default. */
export const connectionRoutes =
  (ports: Ports, networks: readonly [Network, ...Network[]]): FastifyPluginAsync =>
  async (app) => {
    const connectionsOf = readConnections(ports, networks[0])
    const ownConnections = reading(ports, ['connections'])

    const read = async (tenant: string, reply: FastifyReply, rest = restMs) => {
      const found = await connectionsOf(tenant)
      holdsUntil(reply, later(ports.clock.now(), found.some(isLinking) ? 0 : rest))
      return found
    }

    route(app, connectionEndpoints.list, ownConnections, ({ user }, reply) => read(user.id, reply))

    route(app, quickSessionEndpoints.list, ownConnections, ({ user }, reply) => read(user.id, reply))

    route(app, whatsappSessionEndpoints.list, ownConnections, async ({ user }, reply) => {
      const found = await read(user.id, reply)
      return found.map(({ id, name, status, phoneNumber, lastActivity }) => ({
        name,
        token: id,
        status: sessionStatusOf(status),
        phoneNumber,
        lastActivity,
      }))
    })

    route(app, whatsappSessionEndpoints.qrCode, ownConnections, async ({ user, params: { token } }, reply) => {
      const found = (await read(user.id, reply, 0)).find(({ id }) => id === token)
      if (!found) throw refuse('session_not_found')
      if (found.qrCode === null) throw refuse('qr_code_not_ready')
      return { qrCode: found.qrCode }
    })

    route(app, connectionEndpoints.networks, async () => [...networks])
  }
