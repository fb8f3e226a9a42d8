import { authEndpoints, type ChangePasswordBody } from '@prosa/contracts/http/accounts/auth'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import type { ConfiguredRoles } from '../accounts/configured-roles.ts'
import type { BackgroundWork } from '../background-work.ts'
import { changePasswordLimits, forgotPasswordLimits, resetPasswordLimits } from '../limits.ts'
import type { LinkDelivery } from '../link-delivery.ts'
import type { FollowCredential } from '../sessions/end-sessions-on-credential-changed.ts'
import { withoutCommonPassword } from './common-passwords.ts'
import type { PasswordResets } from './password-resets.ts'
import type { Passwords } from './passwords.ts'

interface Deps {
  accounts: Accounts
  passwords: Passwords
  resets: PasswordResets
  roles: ConfiguredRoles
  background: BackgroundWork
  follow: FollowCredential
  delivery: LinkDelivery
  linkTo: (token: string) => string
  showLink: (link: string) => void
}

const changePasswordBody = withoutCommonPassword(authEndpoints.changePassword.body, 'newPassword')
const resetPasswordBody = withoutCommonPassword(authEndpoints.resetPassword.body, 'password')

const asked = { message: 'Se houver uma conta com este e-mail, o link para redefinir a senha chega em instantes.' }

export const passwordRoutes =
  (
    { browserSessions }: Pick<Ports, 'browserSessions'>,
    { accounts, passwords, resets, roles, background, follow, delivery, linkTo, showLink }: Deps,
  ): FastifyPluginAsync =>
  async (app) => {
    const { changedBefore, change } = passwordChanges(browserSessions, { accounts, passwords })

    route(
      app,
      authEndpoints.forgotPassword,
      {
        config: { limits: forgotPasswordLimits },
        // Runs after the reply, so neither content nor timing reveals if the account exists.
        async onResponse({ body, id, command, isBeyondLimit: isTooOften }, { statusCode }) {
          const request = () => resets.request(body.email, 'mail', { id, command, isTooOften })
          if (delivery === 'mail' && statusCode === 200) background.start('asking for a reset link', request)
        },
      },
      async ({ body, id, command, isBeyondLimit: isTooOften }) => {
        const token =
          delivery === 'reply' ? await resets.request(body.email, delivery, { id, command, isTooOften }) : undefined
        if (token === undefined) return asked
        const resetLink = linkTo(token)
        showLink(resetLink)
        return { ...asked, resetLink }
      },
    )

    route(
      app,
      authEndpoints.resetPassword,
      { config: { limits: resetPasswordLimits }, body: resetPasswordBody },
      async (request) => {
        const { token, password } = request.body
        const used = await resets.use(token, password, request)
        if (!used) throw refuse('reset_link_invalid')
        await follow(used.userId)
        await roles.settle(used.userId, {
          commandId: request.command.id,
          repeated: request.command.repeated,
          actor: { kind: 'system', id: 'configured-roles' },
          tenant: used.userId,
          causationId: request.id,
          correlationId: request.id,
        })
        return { passwordSet: true as const }
      },
    )

    route(
      app,
      authEndpoints.changePassword,
      { config: { limits: changePasswordLimits }, body: changePasswordBody },
      async (request, reply) => {
        const changed = (await changedBefore(request)) ?? (await change(request))
        if (!changed.ok) throw refuse(changed.rejected)
        await follow(request.user.id)
        replyPosition(reply, changed.position)
        return { passwordSet: true as const }
      },
    )
  }

const passwordChanges = (
  browserSessions: Ports['browserSessions'],
  { accounts: { users }, passwords }: Pick<Deps, 'accounts' | 'passwords'>,
) => {
  /** Before comparing: a repetition's current password is already the old one. */
  const changedBefore = async (request: FastifyRequest) =>
    request.command.repeated ? users.earlier(request.user.id, 'ChangePassword', commandContext(request)) : undefined

  const change = async (request: FastifyRequest<{ Body: ChangePasswordBody }>) => {
    const { user, body, cookies } = request
    const { credentialId: insteadOf, mustChangePassword } = await users.load(user.id, user.id)
    if (!insteadOf || !(await passwords.matches(insteadOf, body.currentPassword)))
      throw refuse('wrong_current_password', [{ field: 'currentPassword', message: 'A senha atual não confere.' }])
    if (mustChangePassword && body.newPassword === body.currentPassword)
      throw refuse('invalid_request', [{ field: 'newPassword', message: 'Escolha uma senha diferente da provisória.' }])
    const credentialId = deriveId(request.command.id, 'credential')
    // The stored reply expired: another request uses its key.
    if (insteadOf === credentialId) throw refuse('idempotency_key_reused')
    await passwords.store(credentialId, body.newPassword)
    // Before the change, so no reactor ends the requesting session.
    await browserSessions.assign(cookies[sessionCookie] ?? '', { from: insteadOf, to: credentialId })
    const changed = await users(
      user.id,
      { type: 'ChangePassword', data: { credentialId, insteadOf } },
      commandContext(request),
    )
    await passwords.forget(changed.ok ? insteadOf : credentialId)
    return changed
  }

  return { changedBefore, change }
}
