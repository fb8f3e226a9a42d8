import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import type { TermsVersion } from '@prosa/contracts/values/terms'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { ConfirmationDemand } from '../confirmation/confirmation-demand.ts'
import { registerLimits } from '../limits.ts'
import { withoutCommonPassword } from '../passwords/common-passwords.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { FollowCredential } from '../sessions/end-sessions-on-credential-changed.ts'
import { signIn, signInContext } from '../sessions/sign-in.ts'
import { accountOpening } from './account-opening.ts'
import type { Accounts } from './accounts.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import { isTrialUsed } from './email-claim.ts'
import { refuseAccount } from './refuse-account.ts'
import { requireKnownTerms } from './terms-routes.ts'

const registerBody = withoutCommonPassword(authEndpoints.register.body, 'password')

interface Deps {
  accounts: Accounts
  passwords: Passwords
  roles: ConfiguredRoles
  follow: FollowCredential
  demand: ConfirmationDemand
  termsVersion: TermsVersion
}

export const registerRoute = (
  ports: Pick<Ports, 'browserSessions'>,
  { accounts, passwords, roles, follow, demand, termsVersion }: Deps,
): FastifyPluginAsync => {
  const { emails, users, claimIdOf } = accounts
  const opening = accountOpening(accounts, passwords)
  const { openSession, handOver } = signIn(ports, { follow })

  return async (app) => {
    route(
      app,
      authEndpoints.register,
      { config: { limits: registerLimits }, body: registerBody },
      async (request, reply) => {
        const { email, acceptedTerms } = request.body
        if (acceptedTerms !== undefined) requireKnownTerms('acceptedTerms', acceptedTerms, termsVersion)
        const wished = deriveId(request.command.id, 'user')
        const claim = await emails(
          claimIdOf(email),
          { type: 'ClaimEmail', data: { userId: wished } },
          signInContext(request, wished, null),
        )
        // Continues an interrupted registration.
        const userId = (claim.ok && claim.state.userId) || wished
        const isWithoutTrial = claim.ok && isTrialUsed(claim.state, userId)
        const account = await users.load(userId, userId)
        if (account.isErased) throw refuseAccount('email_taken')
        const context = signInContext(request, userId, userId)
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
  }
}
