import { flowEndpoints } from '@prosa/contracts/http/flows'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import { versionOf } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { requireFlow } from '../require-own.ts'

export const defaultFlowRoutes =
  (deps: FlowDeps): FastifyPluginAsync =>
  async (app) => {
    route(app, flowEndpoints.chooseDefault, async (request, reply) => {
      const tenant = request.user.id
      const { flowId } = request.body
      if (flowId !== null) {
        const flow = await requireFlow(deps, tenant, flowId)
        // An unpublished flow would silently greet nobody.
        if (versionOf(flow) === 0) throw refuse('flow_not_published')
      }
      const command = { type: 'ChooseDefaultFlow', data: { flowId } } as const
      const outcome = await deps.defaults(tenant, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    })
  }
