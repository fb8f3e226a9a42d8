import { authEndpoints } from '@prosa/contracts/http/auth'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { replyPosition } from '@prosa/kernel/http/app'
import { sessionCookie } from '@prosa/kernel/http/browser-sessions'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { accountOpening } from './account-opening.ts'
import type { Accounts } from './accounts.ts'
import { withoutCommonPassword } from './common-passwords.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import type { ConfirmationDemand } from './confirmation-demand.ts'
import { isTrialUsed } from './email-claim.ts'
import type { FollowCredential } from './end-sessions-on-credential-changed.ts'
import { loginLimits, registerLimits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import { refuseAccount } from './refuse-account.ts'
import { cookieOptions, signIn } from './sign-in.ts'

const registerBody = withoutCommonPassword(authEndpoints.register.body, 'password')

interface Deps {
  accounts: Accounts
  passwords: Passwords
  roles: ConfiguredRoles
  follow: FollowCredential
  demand: ConfirmationDemand
}

export const identityRoutes = (
  ports: Pick<Ports, 'browserSessions'>,
  { accounts, passwords, roles, follow, demand }: Deps,
): FastifyPluginAsync => {
  const { browserSessions } = ports
  const { emails, users, claimIdOf } = accounts
  const opening = accountOpening(accounts, passwords)
  const { openSession, handOver } = signIn(ports, { follow })

  const contextOf = (request: FastifyRequest, userId: string, owner: string | null): CommandContext => ({
    commandId: request.command.id,
    repeated: request.command.repeated,
    actor: { kind: 'user', id: userId },
    owner,
    causationId: request.id,
    correlationId: request.id,
  })

  return async (app) => {
    route(
      app,
      authEndpoints.register,
      { config: { limits: registerLimits }, body: registerBody },
      async (request, reply) => {
        const { email } = request.body
        const wished = deriveId(request.command.id, 'user')
        const claim = await emails(
          claimIdOf(email),
          { type: 'ClaimEmail', data: { userId: wished } },
          contextOf(request, wished, null),
        )
        // Continues an interrupted registration.
        const userId = (claim.ok && claim.state.userId) || wished
        const isWithoutTrial = claim.ok && isTrialUsed(claim.state, userId)
        const account = await users.load(userId, userId)
        if (account.isErased) throw refuseAccount('email_taken')
        const context = contextOf(request, userId, userId)
        const { credentialId, position } = await (account.credentialId ? opening.prove : opening.open)(
          request.body,
          userId,
          context,
          { isTrialUsed: isWithoutTrial || undefined, confirmBy: demand.atRegistration() },
        )
        const token = await openSession(userId, credentialId)
        if (token === undefined) {
          await passwords.forget(credentialId)
          throw refuseAccount('email_taken')
        }
        const granted = await roles.settle(userId, context)
        await handOver(request, reply, token)
        replyPosition(reply, granted ?? position, userId)
        return reply.code(201).send({ id: userId, hasTrial: !isWithoutTrial })
      },
    )

    route(app, authEndpoints.login, { config: { limits: loginLimits } }, async (request, reply) => {
      const { email, password } = request.body
      const found = await accounts.find(email)
      request.attemptedUserId = found?.id
      const matches = await passwords.matches(found?.credentialId ?? null, password)
      if (!matches || !found) throw refuse('wrong_credentials')
      const { id, credentialId } = found
      // A concurrent new password then ends it or makes the login fail.
      const token = await openSession(id, credentialId)
      if (token === undefined) throw refuse('wrong_credentials')
      const loggedIn = await users(id, { type: 'LogIn', data: { credentialId } }, contextOf(request, id, id))
      if (!loggedIn.ok) {
        await browserSessions.revoke(token)
        throw refuse(loggedIn.rejected)
      }
      await handOver(request, reply, token)
      replyPosition(reply, loggedIn.position, id)
      return { id }
    })

    route(app, authEndpoints.logout, async (request, reply) => {
      const token = request.cookies[sessionCookie]
      if (token) await browserSessions.revoke(token)
      reply.clearCookie(sessionCookie, cookieOptions)
      const { signedIn: leaving } = request
      if (leaving) await users(leaving.id, { type: 'LogOut', data: {} }, contextOf(request, leaving.id, leaving.id))
      return { signedOut: true as const }
    })
  }
}
