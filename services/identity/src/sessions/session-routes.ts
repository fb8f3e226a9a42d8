import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import { loginLimits } from '../limits.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { FollowCredential } from './end-sessions-on-credential-changed.ts'
import { cookieOptions, signIn, signInContext } from './sign-in.ts'

interface Deps {
  accounts: Accounts
  passwords: Passwords
  follow: FollowCredential
}

export const sessionRoutes = (
  ports: Pick<Ports, 'browserSessions'>,
  { accounts, passwords, follow }: Deps,
): FastifyPluginAsync => {
  const { browserSessions } = ports
  const { users } = accounts
  const { openSession, handOver } = signIn(ports, { follow })

  return async (app) => {
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
      const loggedIn = await users(id, { type: 'LogIn', data: { credentialId } }, signInContext(request, id, id))
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
      if (leaving) await users(leaving.id, { type: 'LogOut', data: {} }, signInContext(request, leaving.id, leaving.id))
      return { signedOut: true as const }
    })
  }
}
