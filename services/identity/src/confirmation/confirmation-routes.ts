import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import type { ConfiguredRoles } from '../accounts/configured-roles.ts'
import { confirmEmailLimits, sendConfirmationLimits } from '../limits.ts'
import type { LinkDelivery } from '../link-delivery.ts'
import type { ConfirmationTokens } from './confirmation-tokens.ts'

interface Deps {
  accounts: Pick<Accounts, 'users'>
  tokens: ConfirmationTokens
  roles: ConfiguredRoles
  delivery: LinkDelivery
  linkTo: (token: string) => string
  showLink: (link: string) => void
}

const sent = { message: 'Enviamos um link para o seu e-mail. Ele chega em instantes.' }
const confirmedBefore = { message: 'Seu e-mail já está confirmado.' }

export const confirmationRoutes =
  ({ accounts: { users }, tokens, roles, delivery, linkTo, showLink }: Deps): FastifyPluginAsync =>
  async (app) => {
    route(app, authEndpoints.confirmEmail, { config: { limits: confirmEmailLimits } }, async (request, reply) => {
      const named = tokens.read(request.body.token)
      if (!named) throw refuse('confirmation_link_invalid')
      const { userId, emailChangeId, isExpired } = named
      const account = await users.load(userId, userId)
      if (!account.credentialId || account.emailChangeId !== emailChangeId) throw refuse('confirmation_link_invalid')
      if (isExpired && account.isEmailConfirmed) return { emailConfirmed: true as const }
      if (isExpired) throw refuse('confirmation_link_expired')
      const isSignedIn = request.signedIn?.id === userId
      const context = {
        commandId: request.command.id,
        repeated: request.command.repeated,
        actor: isSignedIn
          ? { kind: 'user' as const, id: userId }
          : { kind: 'system' as const, id: 'email-confirmation' },
        tenant: userId,
        causationId: request.id,
        correlationId: request.id,
      }
      const confirmed = await users(userId, { type: 'ConfirmEmail', data: { emailChangeId, isSignedIn } }, context)
      if (!confirmed.ok) throw refuse(confirmed.rejected)
      const settled = await roles.settle(userId, context)
      replyPosition(reply, settled ?? confirmed.position)
      return { emailConfirmed: true as const }
    })

    route(
      app,
      authEndpoints.sendConfirmation,
      { config: { limits: sendConfirmationLimits } },
      async (request, reply) => {
        const { id: userId } = request.user
        if (delivery === 'nowhere') throw refuse('mail_not_configured')
        const requestId = deriveId(request.command.id, 'confirmation')
        const asked = await users(
          userId,
          { type: 'RequestEmailConfirmation', data: { requestId, delivery } },
          commandContext(request),
        )
        if (!asked.ok) throw refuse(asked.rejected)
        const { isEmailConfirmed, emailChangeId } = asked.state
        replyPosition(reply, asked.position)
        if (isEmailConfirmed) return confirmedBefore
        if (delivery === 'mail') return sent
        const confirmationLink = linkTo(tokens.issue({ userId, emailChangeId }, delivery))
        showLink(confirmationLink)
        return { ...sent, confirmationLink }
      },
    )
  }
