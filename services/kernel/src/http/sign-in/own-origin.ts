import type { IncomingHttpHeaders } from 'node:http'

/** True unless the headers name another site. */
export const isOwnOrigin = ({ origin, host, ...headers }: IncomingHttpHeaders, trusted: readonly string[]): boolean => {
  if (origin === undefined) return headers['sec-fetch-site'] !== 'cross-site'
  return trusted.includes(origin) || origin === `http://${host}` || origin === `https://${host}`
}
