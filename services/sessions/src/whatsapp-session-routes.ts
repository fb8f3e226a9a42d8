import { createSessionBody, sessionRemoved, whatsappSession } from '@prosa/contracts/http/connections'
import { deriveId } from '@prosa/kernel/derive-id'
import { requireUser } from '@prosa/kernel/http/app'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ConnectionCommands } from './connection-commands.ts'

/** The user's connections as the sessions screen knows them; a session's token is the id of the connection. */
export const whatsappSessionRoutes =
  ({ carryOut, linkingUntil, network }: ConnectionCommands): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    app.post(
      '/api/whatsapp/create-session',
      { schema: { body: createSessionBody, response: { 201: whatsappSession } } },
      async (request, reply) => {
        const { name } = request.body
        const token = deriveId('session', request.command.id)
        const data = { name, network: network(), until: linkingUntil() }
        await carryOut(request, reply, { id: token }, { type: 'AddConnection', data })
        return reply.code(201).send({ name, token, status: 'connecting', phoneNumber: null, lastActivity: null })
      },
    )

    app.delete(
      '/api/whatsapp/session/:token',
      { schema: { params: z.object({ token: z.string() }), response: { 200: sessionRemoved } } },
      async (request, reply) => {
        const { token } = request.params
        const target = { id: token, notFound: 'session_not_found' as const }
        await carryOut(request, reply, target, { type: 'RemoveConnection', data: {} })
        return { token }
      },
    )
  }
