import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import type { ConfirmationDemand } from '../confirmation/confirmation-demand.ts'
import { profileLimits } from '../limits.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { Accounts } from './accounts.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import { isTrialUsed } from './email-claim.ts'
import { refuseAccount } from './refuse-account.ts'
import type { AddressTerms } from './user-command.ts'

interface Deps {
  accounts: Accounts
  passwords: Passwords
  roles: ConfiguredRoles
  demand: ConfirmationDemand
}

/** The address can reset the password, so changing it requires that. */
export const profileRoutes =
  ({ accounts, passwords, roles, demand }: Deps): FastifyPluginAsync =>
  async (app) => {
    const { emails, users, claimIdOf } = accounts

    route(app, authEndpoints.saveProfile, { config: { limits: profileLimits } }, async (request, reply) => {
      const {
        user,
        body: { currentPassword, ...profile },
      } = request
      const changeId = deriveId(request.command.id, 'change')
      const context = commandContext(request)
      const account = await users.load(user.id, user.id)
      let terms: AddressTerms = {}
      if (profile.email !== account.email) {
        if (currentPassword === undefined)
          throw refuse('invalid_request', [{ field: 'currentPassword', message: 'Informe sua senha atual.' }])
        if (!(await passwords.matches(account.credentialId, currentPassword)))
          throw refuse('wrong_current_password', [{ field: 'currentPassword', message: 'A senha atual não confere.' }])
        const data = { userId: user.id, changeId }
        const claim = await emails(claimIdOf(profile.email), { type: 'ClaimEmail', data }, { ...context, tenant: null })
        if (!claim.ok || claim.state.userId !== user.id) throw refuseAccount('email_taken')
        terms = { isTrialUsed: isTrialUsed(claim.state, user.id) || undefined, confirmBy: demand.atChange() }
      }
      const saved = await users(user.id, { type: 'SaveProfile', data: { ...profile, changeId, ...terms } }, context)
      if (!saved.ok) throw refuse(saved.rejected)
      const settled = await roles.settle(user.id, context)
      replyPosition(reply, settled ?? saved.position)
      return { id: user.id }
    })
  }
