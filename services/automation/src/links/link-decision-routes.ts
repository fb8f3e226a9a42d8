import { flowLinkEndpoints } from '@prosa/contracts/http/flow-links'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Flow } from '../flow.ts'
import type { FlowHandlers } from '../flow-handlers.ts'
import { type FoundLink, findLink } from './queries.ts'

type Deps = Pick<Ports, 'pool' | 'roles'> & Pick<FlowHandlers, 'flows'>

const shown = ({ url, tenant, flowId }: FoundLink, token: string, { status, blockedLinks }: Flow) => ({
  token,
  url,
  userId: tenant,
  flowId,
  isBlocked: blockedLinks.includes(token),
  isEnded: status !== 'standing',
})

/** Recorded in the flow's stream, so both histories show it. */
export const linkDecisionRoutes = ({ pool, roles, flows }: Deps): FastifyPluginAsync => {
  const requireLink = async (token: string): Promise<FoundLink> => {
    const link = await findLink(pool, token)
    if (!link) throw refuse('flow_link_not_found')
    return link
  }

  type Decision = FastifyRequest<{ Params: { token: string }; Body: { reason: string } }>

  const decide = async (request: Decision, reply: FastifyReply, type: 'BlockLink' | 'UnblockLink') => {
    const { token } = request.params
    const link = await requireLink(token)
    const context = administratorContext(request, { tenant: link.tenant, reason: request.body.reason })
    const outcome = await flows(link.flowId, { type, data: { token } }, context)
    if (!outcome.ok) throw refuse(outcome.rejected)
    replyPosition(reply, outcome.position)
    return shown(link, token, outcome.state)
  }

  return async (app) => {
    route(app, flowLinkEndpoints.find, { roles }, async ({ params: { token } }) => {
      const link = await requireLink(token)
      return shown(link, token, await flows.load(link.flowId, link.tenant))
    })
    route(app, flowLinkEndpoints.block, { roles }, (request, reply) => decide(request, reply, 'BlockLink'))
    route(app, flowLinkEndpoints.unblock, { roles }, (request, reply) => decide(request, reply, 'UnblockLink'))
  }
}
