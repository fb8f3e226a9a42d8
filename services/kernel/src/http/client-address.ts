import type { IncomingMessage } from 'node:http'
import { normalizeIP } from '@fastify/rate-limit'

/** What the nearest proxy, if it is trusted, added to a header: its last entry. */
const addedByProxy = (header: string | string[] | undefined, trustProxy: boolean): string =>
  trustProxy ? ([header ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '') : ''

/**
 * The visitor's address as limits count it, of IPv6 the customer's whole /64, for requests that do not go through Fastify. Behind a
 * trusted proxy it is what that proxy added: the last entry of X-Forwarded-For, as `request.ip` has it.
 */
export const clientAddress = ({ headers, socket }: IncomingMessage, trustProxy: boolean): string =>
  normalizeIP(addedByProxy(headers['x-forwarded-for'], trustProxy) || (socket.remoteAddress ?? ''))

/** Whether the visitor came over TLS, which ends at the proxy. */
export const isOverTls = ({ headers }: IncomingMessage, trustProxy: boolean): boolean =>
  addedByProxy(headers['x-forwarded-proto'], trustProxy) === 'https'
