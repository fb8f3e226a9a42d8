import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

const oneYearSeconds = 31_536_000

/** `'self'` includes sockets of the same host. */
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

interface Allowed {
  /** Nonce: MUI writes styles at run time. */
  styleSource?: `'nonce-${string}'` | `'sha256-${string}'`
}

const contentSecurityPolicy = ({ styleSource }: Allowed = {}): string =>
  [...directives, `style-src 'self'${styleSource ? ` ${styleSource}` : ''}`].join('; ')

const strictTransportSecurity = `max-age=${oneYearSeconds}`
const permissionsPolicy = 'camera=(), microphone=(self), geolocation=(), payment=(), usb=()'

/** Compared with helmet's by a test. */
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

/** For replies outside Fastify. */
export const rawSecurityHeaders = (isOverTls: boolean): Record<string, string> =>
  isOverTls ? { ...withoutFastify, 'strict-transport-security': strictTransportSecurity } : withoutFastify

export const setContentSecurityPolicy = (reply: FastifyReply, allowed?: Allowed): FastifyReply =>
  reply.header('content-security-policy', contentSecurityPolicy(allowed))

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
