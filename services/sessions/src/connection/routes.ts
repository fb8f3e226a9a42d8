import { connectionEndpoints } from '@prosa/contracts/http/connections'
import { deriveId } from '@prosa/kernel/derive-id'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import type { ConnectionCommands } from './connection-commands.ts'
import type { PairingRequests } from './pairing-requests.ts'

export const connectionRoutes =
  (
    { carryOut, linkingUntil, network, now }: ConnectionCommands,
    pairingRequests: PairingRequests,
  ): FastifyPluginAsync =>
  async (app) => {
    route(app, connectionEndpoints.add, async (request, reply) => {
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
    })

    route(app, connectionEndpoints.refresh, async (request, reply) => {
      const { id } = request.params
      await carryOut(request, reply, { id }, { type: 'StartLinking', data: { until: linkingUntil() } })
      return { id }
    })

    route(app, connectionEndpoints.askPairingCode, async (request, reply) => {
      const { id } = request.params
      const { linkingUntil: until } = await carryOut(request, reply, { id }, { type: 'AskPairingCode', data: {} })
      if (until === null) throw refuse('pairing_code_unavailable')
      await pairingRequests.ask(id, request.body.phone, until)
      return reply.code(202).send({ id })
    })

    route(app, connectionEndpoints.disconnect, async (request, reply) => {
      const { id } = request.params
      await carryOut(request, reply, { id }, { type: 'DisconnectConnection', data: {} })
      return { id }
    })

    route(app, connectionEndpoints.remove, async (request, reply) => {
      const { id } = request.params
      await carryOut(request, reply, { id }, { type: 'RemoveConnection', data: {} })
      return { id }
    })
  }
