import { maximumFlowNameLength } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { flowEndpoints } from '@prosa/contracts/http/flows'
import { deriveId } from '@prosa/kernel/derive-id'
import { route } from '@prosa/kernel/http/route'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { FlowCommand } from '../flow.ts'
import type { FlowGround } from '../flow-ground.ts'
import { commandFlow, requireFlow, requireFolder } from './command-flow.ts'
import { aboutFlow, bodyLimitBytes, requireSmall } from './faults.ts'
import { requireRoom } from './room.ts'
import { nameOfCopy, shownFlow } from './shown.ts'

/** Flows as they stand in lists: made, copied, named, moved, turned on and off, deleted. */
export const flowRoutes =
  (ground: FlowGround): FastifyPluginAsync =>
  async (app) => {
    const { flows, places } = ground
    const command = commandFlow(ground)
    app.setErrorHandler((error: FastifyError, request) => {
      throw aboutFlow(error, request.body)
    })

    const create = async (
      request: FastifyRequest,
      reply: FastifyReply,
      data: Extract<FlowCommand, { type: 'CreateFlow' }>['data'],
    ) => {
      const owner = request.user.id
      const id = deriveId('flow', request.command.id)
      // What is repeated was counted the first time.
      if ((await flows.load(id, owner)).status === 'none')
        requireRoom('too_many_flows', await places.count(owner, 'flow'))
      const flow = await command(request, reply, id, { type: 'CreateFlow', data })
      return reply.code(201).send(await shownFlow(ground, id, flow))
    }

    route(app, flowEndpoints.create, { bodyLimit: bodyLimitBytes }, async (request, reply) => {
      const { name, folderId, document } = request.body
      await requireFolder(ground, request.user.id, folderId)
      if (document) requireSmall(document)
      return create(request, reply, {
        name,
        folderId,
        document: document ?? starterFlow(),
        origin: document ? 'import' : 'new',
      })
    })

    route(app, flowEndpoints.duplicate, async (request, reply) => {
      const source = await requireFlow(ground, request.user.id, request.params.id.toLowerCase())
      const { folderId, document } = source
      return create(request, reply, {
        name: nameOfCopy(source.name, maximumFlowNameLength),
        folderId,
        document,
        origin: 'copy',
      })
    })

    route(app, flowEndpoints.change, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await requireFolder(ground, request.user.id, request.body.folderId)
      const flow = await command(request, reply, id, { type: 'ChangeFlow', data: request.body })
      return shownFlow(ground, id, flow)
    })

    route(app, flowEndpoints.turn, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const flow = await command(request, reply, id, { type: 'TurnFlow', data: request.body })
      return shownFlow(ground, id, flow)
    })

    route(app, flowEndpoints.remove, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await command(request, reply, id, { type: 'DeleteFlow', data: {} })
      return { id }
    })
  }
