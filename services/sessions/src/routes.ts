import {
  addConnectionBody,
  connectionAccepted,
  connection as connectionReply,
  pairingCodeBody,
} from '@prosa/contracts/http/connections'
import { deriveId } from '@prosa/kernel/derive-id'
import { requireUser } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ConnectionCommands } from './connection-commands.ts'
import type { PairingRequests } from './pairing/pairing-requests.ts'

const params = z.object({ id: z.string() })
const accepted = { params, response: { 200: connectionAccepted } }

/** Commands to the user's own connections; the lines follow them wherever they run. */
export const connectionRoutes =
  (
    { carryOut, linkingUntil, network, now }: ConnectionCommands,
    pairingRequests: PairingRequests,
  ): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    app.post(
      '/api/whatsapp/connections',
      { schema: { body: addConnectionBody, response: { 201: connectionReply } } },
      async (request, reply) => {
        const id = deriveId('connection', request.command.id)
        const { name, network: wanted } = request.body
        const chosen = network(wanted)
        const until = linkingUntil()
        const data = { name, network: chosen, until }
        const state = await carryOut(request, reply, { id }, { type: 'AddConnection', data })
        return reply.code(201).send({
          id,
          name,
          status: 'connecting',
          statusReason: null,
          line: 'unused',
          statusSince: now(),
          qrCode: null,
          qrDeadline: state.linkingUntil ?? until,
          serverTime: now(),
          phoneNumber: null,
          phone: null,
          lastActivity: null,
          pairingCode: null,
          network: chosen,
        })
      },
    )

    app.post('/api/whatsapp/connections/:id/refresh', { schema: accepted }, async (request, reply) => {
      const { id } = request.params
      await carryOut(request, reply, { id }, { type: 'StartLinking', data: { until: linkingUntil() } })
      return { id }
    })

    app.post(
      '/api/whatsapp/connections/:id/pairing-code',
      { schema: { params, body: pairingCodeBody, response: { 202: connectionAccepted } } },
      async (request, reply) => {
        const { id } = request.params
        const { linkingUntil: until } = await carryOut(request, reply, { id }, { type: 'AskPairingCode', data: {} })
        if (until === null) throw refuse('pairing_code_unavailable')
        await pairingRequests.ask(id, request.body.phone, until)
        return reply.code(202).send({ id })
      },
    )

    app.post('/api/whatsapp/connections/:id/disconnect', { schema: accepted }, async (request, reply) => {
      const { id } = request.params
      await carryOut(request, reply, { id }, { type: 'DisconnectConnection', data: {} })
      return { id }
    })

    app.delete('/api/whatsapp/connections/:id', { schema: accepted }, async (request, reply) => {
      const { id } = request.params
      await carryOut(request, reply, { id }, { type: 'RemoveConnection', data: {} })
      return { id }
    })
  }
