import { profileBody, profileSaved } from '@prosa/contracts/http/auth'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition, requireUser } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Accounts } from './accounts.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import { refuseAccount } from './refuse-account.ts'

/** Name and e-mail address of the account. */
export const profileRoutes =
  ({ accounts, roles }: { accounts: Accounts; roles: ConfiguredRoles }): FastifyPluginAsyncZod =>
  async (app) => {
    const { emails, users, claimIdOf } = accounts

    app.put(
      '/api/auth/user',
      { onRequest: requireUser, schema: { body: profileBody, response: { 200: profileSaved } } },
      async (request, reply) => {
        const { user, body } = request
        const changeId = deriveId(request.command.id, 'change')
        const context = commandContext(request)
        if (body.email !== (await users.load(user.id, user.id)).email) {
          const data = { userId: user.id, changeId }
          const claim = await emails(claimIdOf(body.email), { type: 'ClaimEmail', data }, { ...context, owner: null })
          if (!claim.ok || claim.state.userId !== user.id) throw refuseAccount('email_taken')
        }
        const saved = await users(user.id, { type: 'SaveProfile', data: { ...body, changeId } }, context)
        if (!saved.ok) throw refuse(saved.rejected)
        const settled = await roles.settle(user.id, context)
        replyPosition(reply, settled ?? saved.position)
        return { id: user.id }
      },
    )
  }
