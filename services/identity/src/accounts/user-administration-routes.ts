import {
  type UpdateProfileBody,
  userAdministrationEndpoints,
} from '@prosa/contracts/http/administration/user-administration'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ConfirmationDemand } from '../confirmation/confirmation-demand.ts'
import { administrationLimits } from '../limits.ts'
import { withoutCommonPassword } from '../passwords/common-passwords.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { FollowCredential } from '../sessions/end-sessions-on-credential-changed.ts'
import type { Accounts } from './accounts.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import { isTrialUsed } from './email-claim.ts'
import { whileNobodyElseAdministers } from './queries.ts'
import { refuseAccount } from './refuse-account.ts'
import type { AddressTerms } from './user-command.ts'

interface Deps {
  accounts: Accounts
  passwords: Passwords
  configured: ConfiguredRoles
  follow: FollowCredential
  demand: ConfirmationDemand
}

const updateProfileBody = withoutCommonPassword(userAdministrationEndpoints.updateProfile.body, 'password')

export const userAdministrationRoutes = (
  { pool, roles }: Pick<Ports, 'pool' | 'roles'>,
  { accounts, passwords, configured, follow, demand }: Deps,
): FastifyPluginAsync => {
  const { users } = accounts
  const { keepAdministrator, correct } = userCorrections({ accounts, passwords, demand })

  return async (app) => {
    route(
      app,
      userAdministrationEndpoints.updateProfile,
      { roles, config: { limits: administrationLimits }, body: updateProfileBody },
      async (request, reply) => {
        const { params, body, command } = request
        const context = administratorContext(request, { tenant: params.id, reason: body.reason })
        const before = command.repeated ? await users.earlier(params.id, 'CorrectUser', context) : undefined
        const corrected =
          before ?? (await whileNobodyElseAdministers(pool, () => correct(request, params.id, body, context)))
        if (!corrected.ok) throw refuse(corrected.rejected)
        await follow(params.id)
        const settled = await configured.settle(params.id, context)
        replyPosition(reply, settled ?? corrected.position)
        return { id: params.id }
      },
    )

    route(
      app,
      userAdministrationEndpoints.setAnalyst,
      { roles, config: { limits: administrationLimits } },
      async (request, reply) => {
        const { params, body } = request
        const context = administratorContext(request, { tenant: params.id, reason: body.reason })
        const outcome = await configured.setAnalyst(params.id, body.isAnalyst, context)
        if (!outcome.ok) throw refuse(outcome.rejected)
        replyPosition(reply, outcome.position)
        return { id: params.id }
      },
    )

    route(
      app,
      userAdministrationEndpoints.eraseUser,
      { roles, config: { limits: administrationLimits } },
      async (request, reply) => {
        const { params, body, user } = request
        if (params.id === user.id) throw refuse('own_account_erased_in_profile')
        const context = administratorContext(request, { tenant: params.id, reason: body.reason })
        const erased = await whileNobodyElseAdministers(pool, async () => {
          const { credentialId, isErased } = await users.load(params.id, params.id)
          if (!credentialId && !isErased) throw refuse('user_not_found')
          await keepAdministrator(user.id, params.id)
          return users(params.id, { type: 'EraseUser', data: {} }, context)
        })
        if (!erased.ok) throw refuse(erased.rejected)
        await follow(params.id)
        replyPosition(reply, erased.position)
        return { id: params.id }
      },
    )
  }
}

const userCorrections = ({ accounts, passwords, demand }: Pick<Deps, 'accounts' | 'passwords' | 'demand'>) => {
  const { emails, users, claimIdOf } = accounts

  /** At least one administrator must remain. */
  const keepAdministrator = async (adminId: string, userId: string) => {
    const [admin, user] = [await users.load(adminId, adminId), await users.load(userId, userId)]
    if (user.roles.includes('admin') && !admin.roles.includes('admin')) throw refuse('last_administrator')
  }

  const claim = async (
    email: string,
    userId: string,
    changeId: string,
    context: CommandContext,
  ): Promise<AddressTerms> => {
    // The claim has no tenant, and the reason is the user's.
    const { reason: _, ...about } = context
    const data = { userId, changeId }
    const claimed = await emails(claimIdOf(email), { type: 'ClaimEmail', data }, { ...about, tenant: null })
    if (!claimed.ok || claimed.state.userId !== userId) throw refuseAccount('email_taken')
    return { isTrialUsed: isTrialUsed(claimed.state, userId) || undefined, confirmBy: demand.atChange() }
  }

  const correct = async (request: FastifyRequest, userId: string, body: UpdateProfileBody, context: CommandContext) => {
    const account = await users.load(userId, userId)
    if (!account.credentialId) throw refuse('user_not_found')
    const [email, password] = [body.email || account.email, body.password]
    const isMoved = email !== account.email
    if (userId === request.user.id && (isMoved || password)) throw refuse('own_account_changed_in_profile')
    const changeId = deriveId(request.command.id, 'change')
    if (isMoved) await keepAdministrator(request.user.id, userId)
    const terms = isMoved ? await claim(email, userId, changeId, context) : {}
    const credentialId = password ? deriveId(request.command.id, 'credential') : undefined
    if (password && credentialId) await passwords.store(credentialId, password)
    const given = { firstName: body.firstName || undefined, lastName: body.lastName || undefined, email }
    const data = { ...given, changeId, credentialId, ...terms }
    const corrected = await users(userId, { type: 'CorrectUser', data }, context)
    if (credentialId) await passwords.forget(corrected.ok ? account.credentialId : credentialId)
    return corrected
  }

  return { keepAdministrator, correct }
}
