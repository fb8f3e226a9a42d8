import type { IncomingMessage } from 'node:http'
import { normalizeIP } from '@fastify/rate-limit'

/**
 * The visitor's address as limits count it, of IPv6 the customer's whole /64, for requests that do not go through Fastify. Behind a
 * trusted proxy it is what that proxy added: the last entry of X-Forwarded-For, as `request.ip` has it.
 */
export const clientAddress = ({ headers, socket }: IncomingMessage, trustProxy: boolean): string => {
  const forwarded = trustProxy ? [headers['x-forwarded-for'] ?? []].flat().join(',') : ''
  return normalizeIP(forwarded.split(',').at(-1)?.trim() || (socket.remoteAddress ?? ''))
}
