import type { IncomingMessage } from 'node:http'
import { normalizeIP } from '@fastify/rate-limit'

const addedByProxy = (header: string | string[] | undefined, trustProxy: boolean): string =>
  trustProxy ? ([header ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '') : ''

/** IPv6 as the customer's /64. With a trusted proxy: the last entry of X-Forwarded-For. */
export const clientAddress = ({ headers, socket }: IncomingMessage, trustProxy: boolean): string =>
  normalizeIP(addedByProxy(headers['x-forwarded-for'], trustProxy) || (socket.remoteAddress ?? ''))

/** TLS ends at the proxy. */
export const isOverTls = ({ headers }: IncomingMessage, trustProxy: boolean): boolean =>
  addedByProxy(headers['x-forwarded-proto'], trustProxy) === 'https'
