import {
  loginBody,
  type RegisterBody,
  registerBody as registerFields,
  signedIn,
  signedOut,
} from '@prosa/contracts/http/auth'
import type { CommandContext } from '@prosa/kernel/command-handler'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { absoluteSeconds, sessionCookie } from '@prosa/kernel/http/browser-sessions'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Accounts } from './accounts.ts'
import { withoutCommonPassword } from './common-passwords.ts'
import type { ConfiguredRoles } from './configured-roles.ts'
import type { FollowCredential } from './end-sessions-on-credential-changed.ts'
import { loginLimits, registerLimits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import { refuseAccount } from './refuse-account.ts'

const registerBody = withoutCommonPassword(registerFields, 'password')
const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

interface Deps {
  accounts: Accounts
  passwords: Passwords
  roles: ConfiguredRoles
  follow: FollowCredential
}

/** Opening an account, signing in and out. */
export const identityRoutes = (
  { browserSessions }: Pick<Ports, 'browserSessions'>,
  { accounts, passwords, roles, follow }: Deps,
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

  /** A session for who proved this password just now; undefined when it is not the account's any more. */
  const openSession = async (userId: string, credentialId: string): Promise<string | undefined> => {
    const issued = await browserSessions.issueFor(userId, credentialId)
    if (issued) return issued.token
    // The sessions may not have heard of this password yet.
    await follow(userId)
    return (await browserSessions.issueFor(userId, credentialId))?.token
  }

  /** The browser gets the session, and the one that it brought along ends. */
  const handOver = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    const previous = request.cookies[sessionCookie]
    if (previous) await browserSessions.revoke(previous)
    reply.setCookie(sessionCookie, token, { ...cookieOptions, maxAge: absoluteSeconds })
  }

  /** Stores the account; the credential follows from the command, so that two attempts at it cannot have two. */
  const openAccount = async (request: FastifyRequest<{ Body: RegisterBody }>, userId: string) => {
    const { password, ...person } = request.body
    const credentialId = deriveId(request.command.id, 'credential')
    await passwords.keep(credentialId, password)
    const registered = await users(
      userId,
      { type: 'RegisterUser', data: { ...person, credentialId } },
      contextOf(request, userId, userId),
    )
    if (registered.ok) return { credentialId, position: registered.position }
    await passwords.forget(credentialId)
    throw refuseAccount(registered.rejected)
  }

  /**
   * An account that this very command has opened before. Whoever sends it again may have registered somebody else's address,
   * and its owner has set another password since: only the current one signs in.
   */
  const proveAccount = async (request: FastifyRequest<{ Body: RegisterBody }>, userId: string) => {
    const { email, password } = request.body
    const before = request.command.repeated
      ? await users.earlier(userId, 'RegisterUser', contextOf(request, userId, userId))
      : undefined
    const found = before && (await accounts.find(email))
    const isTheirs = found?.id === userId && (await passwords.matches(found.credentialId, password))
    if (!before?.ok || !isTheirs) throw refuseAccount('email_taken')
    return { credentialId: found.credentialId, position: before.position }
  }

  return async (app) => {
    app.post(
      '/api/auth/register',
      { config: { limits: registerLimits }, schema: { body: registerBody, response: { 201: signedIn } } },
      async (request, reply) => {
        const { email } = request.body
        const wished = deriveId(request.command.id, 'user')
        const claim = await emails(
          claimIdOf(email),
          { type: 'ClaimEmail', data: { userId: wished } },
          contextOf(request, wished, null),
        )
        // A claim whose registration was cut short is continued, not lost.
        const userId = (claim.ok && claim.state.userId) || wished
        const held = await users.load(userId, userId)
        if (held.isErased) throw refuseAccount('email_taken')
        const { credentialId, position } = held.credentialId
          ? await proveAccount(request, userId)
          : await openAccount(request, userId)
        const token = await openSession(userId, credentialId)
        if (token === undefined) {
          await passwords.forget(credentialId)
          throw refuseAccount('email_taken')
        }
        const granted = await roles.settle(userId, contextOf(request, userId, userId))
        await handOver(request, reply, token)
        replyPosition(reply, granted ?? position)
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
        const token = await openSession(id, credentialId)
        if (token === undefined) throw refuse('wrong_credentials')
        const loggedIn = await users(id, { type: 'LogIn', data: { credentialId } }, contextOf(request, id, id))
        if (!loggedIn.ok) {
          await browserSessions.revoke(token)
          throw refuse(loggedIn.rejected)
        }
        await handOver(request, reply, token)
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
