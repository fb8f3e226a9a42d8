import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import { type TermsVersion, termsWritten } from '@prosa/contracts/values/terms'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import type { Accounts } from './accounts.ts'

/** A screen that was open while the texts changed names an earlier version: that is what was read. None of a day to come was. */
export const requireKnownTerms = (field: string, version: TermsVersion, current: TermsVersion): void => {
  if (version >= termsWritten && version <= current) return
  throw refuse('invalid_request', [{ field, message: 'Não há termos de uso com esta data.' }])
}

export const termsRoutes =
  ({ users }: Pick<Accounts, 'users'>, current: TermsVersion): FastifyPluginAsync =>
  async (app) => {
    route(app, authEndpoints.acceptTerms, async (request, reply) => {
      const { version } = request.body
      requireKnownTerms('version', version, current)
      const { id } = request.user
      const accepted = await users(id, { type: 'AcceptTerms', data: { version } }, commandContext(request))
      if (!accepted.ok) throw refuse(accepted.rejected)
      replyPosition(reply, accepted.position)
      return { version: accepted.state.acceptedTerms ?? version }
    })
  }
