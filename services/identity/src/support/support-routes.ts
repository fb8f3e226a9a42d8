import { supportEndpoints } from '@prosa/contracts/http/accounts/support'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandHandler } from '@prosa/kernel/domain/command-handler'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { supportLimits } from '../limits.ts'
import type { SupportRequestCommand, SupportRequestEvent } from './support-request.ts'

type SupportRequests = CommandHandler<SupportRequestCommand, SupportRequestEvent, unknown, 'support_request_not_found'>

/** Undefined if unknown. */
export type FindSupportTenant = (pool: Ports['pool'], id: string) => Promise<string | undefined>

/** Overlong messages are refused at their field. */
const bodyLimitBytes = 1024 * 1024

export const supportRoutes =
  (
    { pool, roles }: Pick<Ports, 'pool' | 'roles'>,
    { requests, findTenant }: { requests: SupportRequests; findTenant: FindSupportTenant },
  ): FastifyPluginAsync =>
  async (app) => {
    route(
      app,
      supportEndpoints.send,
      { config: { limits: supportLimits }, bodyLimit: bodyLimitBytes },
      async (request, reply) => {
        const id = deriveId(request.command.id, 'support request')
        const outcome = await requests(id, { type: 'RequestSupport', data: request.body }, commandContext(request))
        if (!outcome.ok) throw refuse(outcome.rejected)
        replyPosition(reply, outcome.position)
        return reply.code(201).send({ id })
      },
    )

    route(app, supportEndpoints.answer, { roles }, async (request, reply) => {
      const { id } = request.params
      const tenant = await findTenant(pool, id)
      if (tenant === undefined) throw refuse('support_request_not_found')
      const context = administratorContext(request, { tenant })
      const outcome = await requests(id, { type: 'AnswerSupportRequest', data: {} }, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    })
  }
