import { maximumFlowNameLength } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { flowEndpoints } from '@prosa/contracts/http/flows'
import { deriveId } from '@prosa/kernel/derive-id'
import { route } from '@prosa/kernel/http/route'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { requireDraft } from '../drafts/read-draft.ts'
import { planNewFlows, prepareDraft } from '../drafts/store-draft.ts'
import type { FlowCommand } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { requireFolder } from '../require-own.ts'
import { commandFlow } from './command-flow.ts'
import { aboutFlow, bodyLimitBytes, requireSmall } from './faults.ts'
import { nameOfCopy, shownFlow } from './shown.ts'

/** Drafts have budgets of their own. */
const stored = { bodyLimit: bodyLimitBytes, config: { countsBodyItself: true } } as const

export const flowRoutes =
  (deps: FlowDeps): FastifyPluginAsync =>
  async (app) => {
    const { flows, drafts } = deps
    const command = commandFlow(deps)
    app.setErrorHandler((error: FastifyError, request) => {
      throw aboutFlow(error, request.body)
    })

    const create = async (
      request: FastifyRequest,
      reply: FastifyReply,
      data: Extract<FlowCommand, { type: 'CreateFlow' }>['data'],
    ) => {
      const tenant = request.user.id
      const id = deriveId('flow', request.command.id)
      const { summary, text } = prepareDraft(deps, tenant, data.document)
      // Repeated requests are counted once.
      if ((await flows.load(id, tenant)).status === 'none') {
        await planNewFlows(deps, tenant, [{ id, ...summary }])
        await drafts.write(tenant, { id, revision: 0, digest: summary.digest }, text)
      }
      const { state } = await command(request, reply, id, { type: 'CreateFlow', data: { ...data, summary } })
      return reply.code(201).send(await shownFlow(deps, id, state))
    }

    route(app, flowEndpoints.create, stored, async (request, reply) => {
      const { name, folderId, document } = request.body
      await requireFolder(deps, request.user.id, folderId)
      if (document) requireSmall(document)
      return create(request, reply, {
        name,
        folderId,
        document: document ?? starterFlow(),
        origin: document ? 'import' : 'new',
      })
    })

    route(app, flowEndpoints.duplicate, async (request, reply) => {
      const { flow, document } = await requireDraft(deps, request.user.id, request.params.id.toLowerCase())
      return create(request, reply, {
        name: nameOfCopy(flow.name, maximumFlowNameLength),
        folderId: flow.folderId,
        document,
        origin: 'copy',
      })
    })

    route(app, flowEndpoints.change, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await requireFolder(deps, request.user.id, request.body.folderId)
      const { state } = await command(request, reply, id, { type: 'ChangeFlow', data: request.body })
      return shownFlow(deps, id, state)
    })

    route(app, flowEndpoints.turn, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const { state } = await command(request, reply, id, { type: 'TurnFlow', data: request.body })
      return shownFlow(deps, id, state)
    })

    route(app, flowEndpoints.remove, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await command(request, reply, id, { type: 'DeleteFlow', data: {} })
      await drafts.drop(request.user.id, [id])
      return { id }
    })
  }
