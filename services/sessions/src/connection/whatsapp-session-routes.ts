import { whatsappSessionEndpoints } from '@prosa/contracts/http/connections'
import { deriveId } from '@prosa/kernel/derive-id'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import type { ConnectionCommands } from './connection-commands.ts'

/** A session's token is the connection's id. */
export const whatsappSessionRoutes =
  ({ carryOut, linkingUntil, network }: ConnectionCommands): FastifyPluginAsync =>
  async (app) => {
    route(app, whatsappSessionEndpoints.create, async (request, reply) => {
      const { name } = request.body
      const token = deriveId('session', request.command.id)
      const data = { name, network: network(), until: linkingUntil() }
      await carryOut(request, reply, { id: token }, { type: 'AddConnection', data })
      return reply.code(201).send({ name, token, status: 'connecting', phoneNumber: null, lastActivity: null })
    })

    route(app, whatsappSessionEndpoints.remove, async (request, reply) => {
      const { token } = request.params
      const target = { id: token, notFound: 'session_not_found' as const }
      await carryOut(request, reply, target, { type: 'RemoveConnection', data: {} })
      return { token }
    })
  }
