import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

const oneYearSeconds = 31_536_000

/** Nothing runs, loads or is sent but what is ours. `connect-src 'self'` covers the sockets of the same host. */
const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** With a nonce, `<style>` elements that carry it are allowed too: MUI writes them while the page runs. */
const contentSecurityPolicy = (nonce?: string): string =>
  [...directives, `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`].join('; ')

export const setContentSecurityPolicy = (reply: FastifyReply, nonce?: string): FastifyReply =>
  reply.header('content-security-policy', contentSecurityPolicy(nonce))

/** Security headers on everything; over https, browsers are told to stay there. */
export const addSecurityHeaders = async (app: FastifyInstance): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
  })
  app.addHook('onRequest', async (request, reply) => {
    setContentSecurityPolicy(reply)
    reply.header('permissions-policy', 'camera=(), microphone=(self), geolocation=(), payment=(), usb=()')
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${oneYearSeconds}`)
  })
}
