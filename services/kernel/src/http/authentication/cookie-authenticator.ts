import type { IncomingHttpHeaders } from 'node:http'
import { type BrowserSessions, sessionCookie } from '../sign-in/browser-sessions.ts'
import type { Authenticator } from './authenticator.ts'

/** The first of that name counts, as everywhere. Ours need no decoding: any other text proves nothing. */
const cookie = new RegExp(`(?:^|;)[ \\t]*${sessionCookie}[ \\t]*=([^;]*)`)

const tokenOf = ({ cookie: sent = '' }: IncomingHttpHeaders): string | undefined => {
  const value = cookie.exec(sent)?.[1]?.trim() ?? ''
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  const token = isQuoted ? value.slice(1, -1) : value
  return /^[\w-]+$/.test(token) ? token : undefined
}

/** By the table of sessions: in one process, and in identity, whose table it is. */
export const cookieAuthenticator = (
  sessions: Pick<BrowserSessions, 'resolve' | 'cached' | 'onRevoked'>,
): Authenticator => {
  const authenticate: Authenticator['authenticate'] = async (headers) => {
    const token = tokenOf(headers)
    return token ? sessions.resolve(token) : undefined
  }
  return {
    authenticate,
    cached(headers) {
      const token = tokenOf(headers)
      return token ? sessions.cached(token) : undefined
    },
    isActive: async (headers) => (await authenticate(headers)) !== undefined,
    onEnded: (listener) => sessions.onRevoked(listener),
  }
}
