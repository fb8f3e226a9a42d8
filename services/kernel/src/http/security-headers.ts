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

/** What a page of its own allows beside what all have. */
interface Allowed {
  /** `<style>` elements that carry this nonce, which MUI writes while the page runs, or whose text has this hash. */
  styleSource?: `'nonce-${string}'` | `'sha256-${string}'`
}

const contentSecurityPolicy = ({ styleSource }: Allowed = {}): string =>
  [...directives, `style-src 'self'${styleSource ? ` ${styleSource}` : ''}`].join('; ')

const strictTransportSecurity = `max-age=${oneYearSeconds}`
const permissionsPolicy = 'camera=(), microphone=(self), geolocation=(), payment=(), usb=()'

/** What helmet sets, for answers that do not go through Fastify; a test compares the two. */
const withoutFastify = {
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissionsPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** The security headers of what answers beside Fastify: sockets, and requests that could not be read. */
export const rawSecurityHeaders = (isOverTls: boolean): Record<string, string> =>
  isOverTls ? { ...withoutFastify, 'strict-transport-security': strictTransportSecurity } : withoutFastify

export const setContentSecurityPolicy = (reply: FastifyReply, allowed?: Allowed): FastifyReply =>
  reply.header('content-security-policy', contentSecurityPolicy(allowed))

/** Security headers on everything; over https, browsers are asked to stay there. */
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
    reply.header('permissions-policy', permissionsPolicy)
    if (request.protocol === 'https') reply.header('strict-transport-security', strictTransportSecurity)
  })
}
