import { transactionEndpoints } from '@prosa/contracts/http/accounts/transactions'
import { refusals } from '@prosa/contracts/refusals'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { BillingHandlers } from '../handlers.ts'

export type FindAccountId = (
  pool: Ports['pool'],
  by: { userId?: string | undefined; email?: string | undefined },
) => Promise<string | undefined>

export interface TransactionRoutesDeps {
  handlers: Pick<BillingHandlers, 'orders' | 'plans'>
  findAccountId: FindAccountId
}

const contextOf = (request: FastifyRequest, reason: string | undefined): CommandContext => ({
  ...commandContext(request),
  actor: { kind: 'admin', id: request.user.id },
  // A purchase may have no account.
  tenant: null,
  ...(reason === undefined ? {} : { reason }),
})

export const transactionRoutes =
  (
    { pool, roles }: Pick<Ports, 'pool' | 'roles'>,
    { handlers: { orders, plans }, findAccountId }: TransactionRoutesDeps,
  ): FastifyPluginAsync =>
  async (app) => {
    route(app, transactionEndpoints.remove, { roles }, async (request, reply) => {
      const { id } = request.params
      const context = contextOf(request, request.body?.reason)
      const outcome = await orders(id, { type: 'HideOrder', data: {} }, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    })

    route(app, transactionEndpoints.restore, { roles }, async (request, reply) => {
      const { id } = request.params
      const context = contextOf(request, request.body.reason)
      const outcome = await orders(id, { type: 'ShowOrder', data: {} }, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    })

    route(app, transactionEndpoints.assign, { roles }, async (request, reply) => {
      const { id } = request.params
      const { reason, ...account } = request.body
      const userId = await findAccountId(pool, account)
      if (userId === undefined)
        throw refuse('user_not_found', [{ field: account.email ? 'email' : 'userId', message: noAccount }])
      const { userId: holder } = await orders.load(id, null)
      if (holder !== null && holder !== userId && reason === undefined)
        throw refuse('invalid_request', [{ field: 'reason', message: moveNeedsReason }])
      const outcome = await orders(id, { type: 'AssignOrderByHand', data: { userId } }, contextOf(request, reason))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id, userId }
    })

    route(app, transactionEndpoints.assignPlan, { roles }, async (request, reply) => {
      const { id } = request.params
      const { planId, reason } = request.body
      const { offer } = await plans.load(planId, null)
      if (!offer) throw refuse('plan_not_found', [{ field: 'planId', message: refusals.plan_not_found.title }])
      const { planName, productId, accessDays } = offer
      const data = { planId, planName, productId, accessDays }
      const outcome = await orders(id, { type: 'AssignPlan', data }, contextOf(request, reason))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id, planId }
    })
  }

const moveNeedsReason = 'Diga por que a compra passa a outra conta.'
const noAccount = 'Não há uma conta com este e-mail.'
