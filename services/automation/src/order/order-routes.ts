import { flowOrderEndpoints } from '@prosa/contracts/http/automation/flow-order'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/product/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { FlowDeps } from '../flow-deps.ts'
import { requireFlow } from '../require-own.ts'
import { findFlowsOn } from '../run/queries.ts'
import type { FlowRunHandlers } from '../run/run-handlers.ts'
import { inOrder } from './flow-order.ts'
import { whoAnswers } from './who-answers.ts'

export const orderRoutes =
  (deps: FlowDeps, handlers: FlowRunHandlers, { pool }: Pick<Ports, 'pool'>): FastifyPluginAsync =>
  async (app) => {
    const { documents } = handlers

    /** Of a flow that is on: what starts it, and where. */
    const startOf = async (tenant: string, flowId: string) => {
      const version = await documents.publishedOf(tenant, flowId)
      const candidate = version === null ? undefined : await documents.candidateOf(tenant, flowId, version)
      if (!candidate) return { start: null, connectionIds: [] }
      const { nodes, settings } = candidate.document
      const [start = null] = nodes.flatMap((node) =>
        node.type === 'trigger' && node.data.enabled ? node.data.start : [],
      )
      return { start, connectionIds: settings.connectionIds }
    }

    route(app, flowOrderEndpoints.read, async ({ user }) => {
      const { flowIds } = await deps.order.load(user.id, user.id)
      const published = await findFlowsOn(pool, user.id)
      const known = new Set(published.map(({ flowId }) => flowId))
      const drafts = await Promise.all(
        flowIds
          .filter((id) => !known.has(id))
          .map(async (flowId) => ((await documents.exists(user.id, flowId)) ? [{ flowId, isOn: false }] : [])),
      )
      const flows = inOrder([...published, ...drafts.flat()], flowIds)
      return Promise.all(flows.map(async ({ flowId, isOn }) => ({ flowId, isOn, ...(await startOf(user.id, flowId)) })))
    })

    route(app, flowOrderEndpoints.set, async (request, reply) => {
      const tenant = request.user.id
      const flowIds = request.body.flowIds.map((id) => id.toLowerCase())
      const published = new Set((await findFlowsOn(pool, tenant)).map(({ flowId }) => flowId))
      for (const id of flowIds) if (!published.has(id)) await requireFlow(deps, tenant, id)
      const command = { type: 'SetFlowOrder', data: { flowIds } } as const
      const outcome = await deps.order(tenant, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { flowIds: [...outcome.state.flowIds] }
    })

    route(app, flowOrderEndpoints.whoAnswers, ({ user, body }) => whoAnswers(handlers, user.id, body))
  }
