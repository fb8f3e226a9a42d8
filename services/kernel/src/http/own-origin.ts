import type { IncomingHttpHeaders } from 'node:http'

/** True unless the browser's headers name another site as the origin: for commands and for the handshake of sockets. */
export const isOwnOrigin = ({ origin, host, ...headers }: IncomingHttpHeaders, trusted: readonly string[]): boolean => {
  if (origin === undefined) return headers['sec-fetch-site'] !== 'cross-site'
  return trusted.includes(origin) || origin === `http://${host}` || origin === `https://${host}`
}
