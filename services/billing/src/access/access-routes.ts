import { accessEndpoints } from '@prosa/contracts/http/accounts/access'
import { type Clock, later } from '@prosa/kernel/clock'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import type { Roles } from '@prosa/kernel/http/roles'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { BillingHandlers } from '../handlers.ts'
import type { SubscriptionCommand } from './subscription.ts'

export interface AccessRoutesDeps {
  handlers: Pick<BillingHandlers, 'subscriptions'>
  clock: Clock
  roles: Roles
}

const maxExtensionMs = 5 * 366 * 24 * 3600 * 1000

export const accessRoutes = ({ handlers: { subscriptions }, clock, roles }: AccessRoutesDeps): FastifyPluginAsync => {
  type Decision = FastifyRequest<{ Params: { id: string }; Body: { reason?: string | undefined } }>

  const decide = async (request: Decision, reply: FastifyReply, command: SubscriptionCommand) => {
    const { id } = request.params
    const context = administratorContext(request, { tenant: id, reason: request.body.reason })
    const outcome = await subscriptions(id, command, context)
    if (!outcome.ok) throw refuse(outcome.rejected)
    replyPosition(reply, outcome.position)
    return { id }
  }

  /** A repetition was validated by the first request's clock. */
  const checkEnd = (end: string, now: string, isRepeated: boolean | undefined) => {
    const refused = (message: string) => refuse('invalid_request', [{ field: 'subscriptionEnd', message }])
    if (isRepeated) return
    if (Date.parse(end) <= Date.parse(now)) throw refused('Escolha uma data que ainda vem.')
    if (Date.parse(end) > Date.parse(later(now, maxExtensionMs)))
      throw refused('Escolha uma data dentro dos próximos cinco anos.')
  }

  const keepOwnAccess = (request: FastifyRequest, id: string) => {
    if (id === request.user.id) throw refuse('own_access')
  }

  return async (app) => {
    route(app, accessEndpoints.extend, { roles }, async (request, reply) => {
      const { body, command } = request
      const at = clock.now()
      checkEnd(body.subscriptionEnd, at, command.repeated)
      const data = { until: body.subscriptionEnd, at }
      return decide(request, reply, { type: 'ExtendAccess', data })
    })

    route(app, accessEndpoints.setStatus, { roles }, async (request, reply) => {
      const { params, body } = request
      if (body.subscriptionStatus !== 'active') keepOwnAccess(request, params.id)
      const data = { status: body.subscriptionStatus, at: clock.now() }
      return decide(request, reply, { type: 'SetAccessStatus', data })
    })

    route(app, accessEndpoints.remove, { roles }, async (request, reply) => {
      keepOwnAccess(request, request.params.id)
      return decide(request, reply, { type: 'RemoveAccess', data: { at: clock.now() } })
    })
  }
}
