import { planEndpoints, requiredPlanFields } from '@prosa/contracts/http/accounts/plans'
import { refusals } from '@prosa/contracts/refusals'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import { invalidFields } from '@prosa/kernel/http/problem-reply'
import type { Roles } from '@prosa/kernel/http/roles'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { BillingHandlers } from '../handlers.ts'
import { type PlanCommand, planStreamId } from './plan.ts'

/** By the specified sentence and fields. */
const requireComplete = async ({ validationError }: FastifyRequest): Promise<void> => {
  if (!validationError) return
  const errors = invalidFields(validationError)
  throw errors?.some(({ message }) => message === requiredPlanFields)
    ? refuse('plan_incomplete', errors)
    : validationError
}

export const planRoutes =
  ({ handlers: { plans }, roles }: { handlers: Pick<BillingHandlers, 'plans'>; roles: Roles }): FastifyPluginAsync =>
  async (app) => {
    const command = async (
      request: FastifyRequest,
      reply: FastifyReply,
      { id, reason, ...command }: PlanCommand & { id: string; reason: string | undefined },
    ) => {
      const outcome = await plans(id, command, administratorContext(request, { tenant: null, reason }))
      if (!outcome.ok && outcome.rejected !== 'plan_not_found')
        throw refuse(outcome.rejected, [{ field: 'planId', message: refusals[outcome.rejected].title }])
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }
    const whole = { roles, attachValidation: true, preHandler: requireComplete }

    route(app, planEndpoints.create, whole, async (request, reply) => {
      const { reason, ...data } = request.body
      const id = planStreamId(data.planId)
      const { offer } = await command(request, reply, { type: 'CreatePlan', data, id, reason })
      // A repeated request gets the first reply, even after deletion.
      return reply.code(201).send({ id, ...(offer ?? data) })
    })

    route(app, planEndpoints.revise, whole, async (request, reply) => {
      const { id } = request.params
      const { reason, ...data } = request.body
      const { offer } = await command(request, reply, { type: 'RevisePlan', data, id, reason })
      return { id, ...(offer ?? data) }
    })

    route(app, planEndpoints.delete, { roles }, async (request, reply) => {
      const { id } = request.params
      await command(request, reply, { type: 'DeletePlan', data: {}, id, reason: request.body?.reason })
      return { id }
    })
  }
