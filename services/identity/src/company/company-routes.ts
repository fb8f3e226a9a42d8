import { companyEndpoints } from '@prosa/contracts/http/accounts/company'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type CompanyCommand, company } from './company.ts'

export const companyRoutes =
  ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>): FastifyPluginAsync =>
  async (app) => {
    const companies = commandHandler({
      ...{ store, codec, clock },
      service: 'identity',
      category: 'company',
      decider: company,
      foreign: 'user_not_found',
    })

    const command = async (request: FastifyRequest, reply: FastifyReply, command: CompanyCommand) => {
      const outcome = await companies(request.user.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }

    route(app, companyEndpoints.describe, (request, reply) =>
      command(request, reply, { type: 'DescribeCompany', data: request.body }),
    )
    route(app, companyEndpoints.choose, (request, reply) =>
      command(request, reply, { type: 'ChooseForCompany', data: request.body }),
    )
  }
