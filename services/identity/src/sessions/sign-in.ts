import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { absoluteSeconds, sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FollowCredential } from './end-sessions-on-credential-changed.ts'

export const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

/** Before a session exists; `tenant` is null for a claim of an address. */
export const signInContext = (request: FastifyRequest, userId: string, tenant: string | null): CommandContext => ({
  commandId: request.command.id,
  repeated: request.command.repeated,
  actor: { kind: 'user', id: userId },
  tenant,
  causationId: request.id,
  correlationId: request.id,
})

export interface SignIn {
  /** Undefined if the password is no longer current. */
  openSession(userId: string, credentialId: string): Promise<string | undefined>
  /** Ends the session that the request brought along. */
  handOver(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>
}

export const signIn = (
  { browserSessions }: Pick<Ports, 'browserSessions'>,
  { follow }: { follow: FollowCredential },
): SignIn => ({
  async openSession(userId, credentialId) {
    const issued = await browserSessions.issueFor(userId, credentialId)
    if (issued) return issued.token
    // Sessions may lag behind this password.
    await follow(userId)
    return (await browserSessions.issueFor(userId, credentialId))?.token
  },
  async handOver(request, reply, token) {
    const previous = request.cookies[sessionCookie]
    if (previous) await browserSessions.revoke(previous)
    reply.setCookie(sessionCookie, token, { ...cookieOptions, maxAge: absoluteSeconds })
  },
})
