import {
  addConnectionBody,
  type Connection,
  connectionAccepted,
  connection as connectionReply,
} from '@prosa/contracts/http/connections'
import { connectionId } from '@prosa/contracts/values/ids'
import { type Clock, later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition, requireUser } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ConnectionCommand } from './connection.ts'
import type { ConnectionHandler } from './handlers.ts'
import type { SessionTimings } from './timings.ts'

export interface ConnectionRoutesDeps {
  connections: ConnectionHandler
  clock: Clock
  timings: SessionTimings
}

/** An id that is none is the id of no connection. */
const params = z.object({ id: z.string() })
const accepted = { params, response: { 200: connectionAccepted } }

/** Commands to the user's own connections; the lines follow them wherever they run. */
export const connectionRoutes =
  ({ connections, clock, timings }: ConnectionRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    const linkingUntil = () => later(clock.now(), timings.linkingWindow)

    const accept = async (
      request: FastifyRequest & { params: z.infer<typeof params> },
      reply: FastifyReply,
      command: ConnectionCommand,
    ) => {
      const { data: id } = connectionId.safeParse(request.params.id)
      if (id === undefined) throw refuse('connection_not_found')
      const outcome = await connections(id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    }

    app.post(
      '/api/whatsapp/connections',
      { schema: { body: addConnectionBody, response: { 201: connectionReply } } },
      async (request, reply) => {
        const id = deriveId('connection', request.command.id)
        const { name } = request.body
        const until = linkingUntil()
        const outcome = await connections(id, { type: 'AddConnection', data: { name, until } }, commandContext(request))
        if (!outcome.ok) throw refuse(outcome.rejected)
        replyPosition(reply, outcome.position)
        return reply.code(201).send(justAdded(id, name, outcome.state.linkingUntil ?? until, clock.now()))
      },
    )

    app.post('/api/whatsapp/connections/:id/refresh', { schema: accepted }, (request, reply) =>
      accept(request, reply, { type: 'StartLinking', data: { until: linkingUntil() } }),
    )

    app.post('/api/whatsapp/connections/:id/disconnect', { schema: accepted }, (request, reply) =>
      accept(request, reply, { type: 'DisconnectConnection', data: {} }),
    )

    app.delete('/api/whatsapp/connections/:id', { schema: accepted }, (request, reply) =>
      accept(request, reply, { type: 'RemoveConnection', data: {} }),
    )
  }

const justAdded = (id: string, name: string, qrDeadline: string, now: string): Connection => ({
  id,
  name,
  status: 'connecting',
  statusReason: null,
  statusSince: now,
  qrCode: null,
  qrDeadline,
  serverTime: now,
  phoneNumber: null,
  phone: null,
  lastActivity: null,
})
