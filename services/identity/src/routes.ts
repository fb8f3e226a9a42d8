import { randomUUID } from 'node:crypto'
import { loginBody, registerBody, signedIn, signedOut } from '@prosa/contracts/http/auth'
import type { CommandContext } from '@prosa/kernel/command-handler'
import { commandHandler } from '@prosa/kernel/command-handler'
import { replyPosition } from '@prosa/kernel/http/app'
import { absoluteSeconds, sessionCookie } from '@prosa/kernel/http/browser-sessions'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { emailClaim } from './email-claim.ts'
import type { Passwords } from './passwords.ts'
import { user } from './user.ts'

const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

export const identityRoutes = (
  { store, codec, clock, box, browserSessions }: Ports,
  passwords: Passwords,
): FastifyPluginAsyncZod => {
  const base = { store, codec, clock }
  const emails = commandHandler({ ...base, category: 'emailClaim', decider: emailClaim, foreign: 'email_taken' })
  const users = commandHandler({ ...base, category: 'user', decider: user, foreign: 'wrong_credentials' })

  const claimId = (email: string) => box.fingerprint(email, 'e-mail claim')

  const contextOf = (request: FastifyRequest, userId: string, owner: string | null): CommandContext => ({
    commandId: request.id,
    actor: { kind: 'user', id: userId },
    owner,
    causationId: request.id,
    correlationId: request.id,
  })

  /** A new session for every sign-in; the one that the browser brought along ends. */
  const signIn = async (request: FastifyRequest, reply: FastifyReply, userId: string) => {
    const previous = request.cookies[sessionCookie]
    if (previous) await browserSessions.revoke(previous)
    const { token } = await browserSessions.issue(userId)
    reply.setCookie(sessionCookie, token, { ...cookieOptions, maxAge: absoluteSeconds })
  }

  return async (app) => {
    app.post(
      '/api/auth/register',
      { schema: { body: registerBody, response: { 201: signedIn } } },
      async (request, reply) => {
        const { password, ...person } = request.body
        const wished = randomUUID()
        const claim = await emails(
          claimId(person.email),
          { type: 'ClaimEmail', data: { userId: wished } },
          contextOf(request, wished, null),
        )
        // A claim whose registration was cut short is continued, not lost.
        const userId = (claim.ok && claim.state.userId) || wished
        if ((await users.load(userId, userId)).credentialId) throw refuse('email_taken')
        const credentialId = await passwords.keep(password)
        const registered = await users(
          userId,
          { type: 'RegisterUser', data: { ...person, credentialId } },
          contextOf(request, userId, userId),
        )
        if (!registered.ok) throw refuse(registered.rejected)
        await signIn(request, reply, userId)
        replyPosition(reply, registered.position)
        return reply.code(201).send({ id: userId })
      },
    )

    app.post(
      '/api/auth/login',
      { schema: { body: loginBody, response: { 200: signedIn } } },
      async (request, reply) => {
        const { email, password } = request.body
        const { userId } = await emails.load(claimId(email), null)
        const credentialId = userId ? (await users.load(userId, userId)).credentialId : null
        const matches = await passwords.matches(credentialId, password)
        if (!matches || !userId) throw refuse('wrong_credentials')
        const loggedIn = await users(userId, { type: 'LogIn', data: {} }, contextOf(request, userId, userId))
        if (!loggedIn.ok) throw refuse(loggedIn.rejected)
        await signIn(request, reply, userId)
        replyPosition(reply, loggedIn.position)
        return { id: userId }
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
