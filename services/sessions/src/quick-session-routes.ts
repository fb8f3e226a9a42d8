import { addConnectionBody, connectionAccepted, quickSession } from '@prosa/contracts/http/connections'
import { deriveId } from '@prosa/kernel/derive-id'
import { requireUser } from '@prosa/kernel/http/app'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ConnectionCommands } from './connection-commands.ts'
import type { ConnectionHandler } from './handlers.ts'
import type { ConnectionNames } from './names/connection-names.ts'

const quickSessionBody = addConnectionBody.omit({ network: true })

/** The user's connections as quick sessions: a name is enough to create one, or to see a new QR code of the one that has it. */
export const quickSessionRoutes =
  (
    { carryOut, linkingUntil, network, now }: ConnectionCommands,
    { load }: ConnectionHandler,
    names: ConnectionNames,
  ): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    /** The connection of this name, or the id that the next one of this name gets: two requests at once mean the same. */
    const idOf = async (owner: string, name: string) => {
      const known = await names.find(owner, name)
      if (known && (await load(known, owner)).status !== 'removed') return known
      for (let number = 0; ; number++) {
        const id = deriveId('quick session', owner, name, number)
        if ((await load(id, owner)).status !== 'removed') return id
      }
    }

    app.post(
      '/api/whatsapp/quick-session',
      { schema: { body: quickSessionBody, response: { 201: quickSession } } },
      async (request, reply) => {
        const { name } = request.body
        const id = await idOf(request.user.id, name)
        const data = { name, network: network(), until: linkingUntil() }
        await carryOut(request, reply, { id }, { type: 'AddOrRefreshConnection', data })
        return reply
          .code(201)
          .send({ id, name, status: 'connecting', qrCode: null, phoneNumber: null, lastActivity: now() })
      },
    )

    app.delete(
      '/api/whatsapp/quick-session/:id',
      { schema: { params: z.object({ id: z.string() }), response: { 200: connectionAccepted } } },
      async (request, reply) => {
        const { id } = request.params
        const target = { id, notFound: 'session_not_found' as const }
        await carryOut(request, reply, target, { type: 'RemoveConnection', data: {} })
        return { id }
      },
    )
  }
