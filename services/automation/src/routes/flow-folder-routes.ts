import { flowFolderEndpoints } from '@prosa/contracts/http/flows'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { copyFlow, planCopies } from '../drafts/copy-flow.ts'
import { deleteFlowsIn, type FlowDeps } from '../flow-deps.ts'
import type { FlowFolderCommand } from '../flow-folder.ts'
import { requireFolderWithinLimit } from './folder-limit.ts'
import { nameOfCopy, shownFolder } from './shown.ts'

const maxNameLength = 100

export const flowFolderRoutes =
  (deps: FlowDeps): FastifyPluginAsync =>
  async (app) => {
    const { folders, knownFlows } = deps

    const command = async (request: FastifyRequest, reply: FastifyReply, id: string, command: FlowFolderCommand) => {
      const outcome = await folders(id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      knownFlows.note(request.user.id, outcome.position)
      replyPosition(reply, outcome.position)
      return outcome.state
    }
    const isNew = async (id: string, tenant: string) => (await folders.load(id, tenant)).status === 'none'

    route(app, flowFolderEndpoints.create, async (request, reply) => {
      const tenant = request.user.id
      const id = deriveId('flow folder', request.command.id)
      if (await isNew(id, tenant)) requireFolderWithinLimit(await knownFlows.count(tenant, 'folder'))
      const data = { ...request.body, isSample: false }
      const state = await command(request, reply, id, { type: 'CreateFlowFolder', data })
      return reply.code(201).send(await shownFolder(deps, id, state, 0))
    })

    route(app, flowFolderEndpoints.describe, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const state = await command(request, reply, id, { type: 'DescribeFlowFolder', data: request.body })
      return shownFolder(deps, id, state, (await knownFlows.flowsIn(request.user.id, id)).length)
    })

    route(app, flowFolderEndpoints.duplicate, async (request, reply) => {
      const tenant = request.user.id
      const source = request.params.id.toLowerCase()
      const { status, name, description } = await folders.load(source, tenant)
      if (status !== 'active') throw refuse('flow_folder_not_found')
      const id = deriveId('flow folder', request.command.id)
      const contents = await knownFlows.flowsIn(tenant, source)
      const idOfCopy = (flowId: string) => deriveId('flow', request.command.id, flowId)
      // Reserves capacity first: all copies are made or none.
      if (await isNew(id, tenant)) {
        requireFolderWithinLimit(await knownFlows.count(tenant, 'folder'))
        await planCopies(deps, tenant, contents, idOfCopy)
      }
      const data = { name: nameOfCopy(name, maxNameLength), description, isSample: false }
      const state = await command(request, reply, id, { type: 'CreateFlowFolder', data })
      let copies = 0
      for (const flowId of contents) {
        const outcome = await copyFlow(deps, flowId, { id: idOfCopy(flowId), folderId: id }, commandContext(request))
        if (!outcome) continue
        if (!outcome.ok) throw refuse(outcome.rejected)
        knownFlows.note(tenant, outcome.position)
        replyPosition(reply, outcome.position)
        copies += 1
      }
      return reply.code(201).send(await shownFolder(deps, id, state, copies))
    })

    route(app, flowFolderEndpoints.remove, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await command(request, reply, id, { type: 'DeleteFlowFolder', data: {} })
      replyPosition(reply, await deleteFlowsIn(deps, request.user.id, id, commandContext(request)))
      return { id }
    })
  }
