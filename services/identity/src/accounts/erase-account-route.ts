import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import { changePasswordLimits } from '../limits.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { FollowCredential } from '../sessions/end-sessions-on-credential-changed.ts'
import type { Accounts } from './accounts.ts'

interface Deps {
  accounts: Accounts
  passwords: Passwords
  follow: FollowCredential
}

/**
 * Services react to `UserErased`. Authenticates inside, after stored replies: the session ends with the account, and a repeated request
 * must get the first reply.
 */
export const eraseAccountRoute =
  ({ accounts, passwords, follow }: Deps): FastifyPluginAsync =>
  async (app) => {
    route(
      app,
      authEndpoints.eraseAccount,
      {
        config: { limits: changePasswordLimits },
        refusesVisitorsItself: true,
        // Refuses visitors first.
        attachValidation: true,
      },
      async (request, reply) => {
        const { signedIn, validationError, body, command } = request
        if (!signedIn) throw refuse('not_signed_in')
        if (validationError) throw validationError
        const { id } = signedIn
        const context: CommandContext = {
          commandId: command.id,
          repeated: command.repeated,
          actor: { kind: 'user', id },
          tenant: id,
          causationId: request.id,
          correlationId: request.id,
        }
        const erase = async () => {
          const { credentialId } = await accounts.users.load(id, id)
          if (!credentialId || !(await passwords.matches(credentialId, body.password)))
            throw refuse('wrong_current_password', [{ field: 'password', message: 'A senha atual não confere.' }])
          return accounts.users(id, { type: 'EraseUser', data: { why: body.reason } }, context)
        }
        // An erased account has no password to compare.
        const before = command.repeated ? await accounts.users.earlier(id, 'EraseUser', context) : undefined
        const erased = before ?? (await erase())
        if (!erased.ok) throw refuse(erased.rejected)
        await follow(id)
        replyPosition(reply, erased.position)
        return { erased: true as const }
      },
    )
  }
