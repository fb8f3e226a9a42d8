import { loginBody, registerBody, signedIn, signedOut } from '@prosa/contracts/http/auth'
import type { CommandContext } from '@prosa/kernel/command-handler'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { absoluteSeconds, sessionCookie } from '@prosa/kernel/http/browser-sessions'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Accounts } from './accounts.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import { loginLimits, registerLimits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import { refuseAccount } from './refuse-account.ts'

const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

interface Deps {
  accounts: Accounts
  passwords: Passwords
  roles: ConfiguredRoles
}

/** Opening an account, signing in and out. */
export const identityRoutes = (
  { browserSessions }: Pick<Ports, 'browserSessions'>,
  { accounts, passwords, roles }: Deps,
): FastifyPluginAsyncZod => {
  const { emails, users, claimIdOf } = accounts

  const contextOf = (request: FastifyRequest, userId: string, owner: string | null): CommandContext => ({
    commandId: request.command.id,
    repeated: request.command.repeated,
    actor: { kind: 'user', id: userId },
    owner,
    causationId: request.id,
    correlationId: request.id,
  })

  /** A new session for every sign-in; the one that the browser brought along ends. */
  const signIn = async (request: FastifyRequest, reply: FastifyReply, userId: string, credentialId: string) => {
    const previous = request.cookies[sessionCookie]
    if (previous) await browserSessions.revoke(previous)
    const { token } = await browserSessions.issue(userId, credentialId)
    reply.setCookie(sessionCookie, token, { ...cookieOptions, maxAge: absoluteSeconds })
    return token
  }

  return async (app) => {
    app.post(
      '/api/auth/register',
      { config: { limits: registerLimits }, schema: { body: registerBody, response: { 201: signedIn } } },
      async (request, reply) => {
        const { password, ...person } = request.body
        const wished = deriveId(request.command.id, 'user')
        const claim = await emails(
          claimIdOf(person.email),
          { type: 'ClaimEmail', data: { userId: wished } },
          contextOf(request, wished, null),
        )
        // A claim whose registration was cut short is continued, not lost.
        const userId = (claim.ok && claim.state.userId) || wished
        const isRepeated = request.command.repeated && userId === wished
        if (!isRepeated && (await users.load(userId, userId)).credentialId) throw refuseAccount('email_taken')
        const credentialId = await passwords.keep(password)
        const context = contextOf(request, userId, userId)
        const registered = await users(userId, { type: 'RegisterUser', data: { ...person, credentialId } }, context)
        if (!registered.ok || registered.events.length === 0) await passwords.forget(credentialId)
        if (!registered.ok) throw refuseAccount(registered.rejected)
        const granted = await roles.settle(userId, context)
        await signIn(request, reply, userId, registered.state.credentialId ?? credentialId)
        replyPosition(reply, granted ?? registered.position)
        return reply.code(201).send({ id: userId })
      },
    )

    app.post(
      '/api/auth/login',
      { config: { limits: loginLimits }, schema: { body: loginBody, response: { 200: signedIn } } },
      async (request, reply) => {
        const { email, password } = request.body
        const found = await accounts.find(email)
        request.attemptedUserId = found?.id
        const matches = await passwords.matches(found?.credentialId ?? null, password)
        if (!matches || !found) throw refuse('wrong_credentials')
        const { id, credentialId } = found
        // The session comes first: a new password ends it, or comes before the login, which it then refuses.
        const token = await signIn(request, reply, id, credentialId)
        const loggedIn = await users(id, { type: 'LogIn', data: { credentialId } }, contextOf(request, id, id))
        if (!loggedIn.ok) {
          await browserSessions.revoke(token)
          reply.clearCookie(sessionCookie, cookieOptions)
          throw refuse(loggedIn.rejected)
        }
        replyPosition(reply, loggedIn.position)
        return { id }
      },
    )

    app.post('/api/auth/logout', { schema: { response: { 200: signedOut } } }, async (request, reply) => {
      const token = request.cookies[sessionCookie]
      if (token) await browserSessions.revoke(token)
      reply.clearCookie(sessionCookie, cookieOptions)
      const { signedIn: leaving } = request
      if (leaving) await users(leaving.id, { type: 'LogOut', data: {} }, contextOf(request, leaving.id, leaving.id))
      return { signedOut: true as const }
    })
  }
}
