import { refusals } from '@prosa/contracts/refusals'
import { type BrowserSessions, sessionCookie } from '@prosa/kernel/http/browser-sessions'
import type { Logger } from '@prosa/kernel/log'
import type { BrowserSocket } from './socket-server.ts'

export interface AdmitDeps {
  browserSessions: BrowserSessions
  parseCookie: (header: string) => Record<string, string | undefined>
  log: Logger
}

/** What a visitor gets as `connect_error`: the sentence, and the refusal's name in `data.type`. */
const notSignedIn = () => Object.assign(new Error(refusals.not_signed_in.title), { data: { type: 'not_signed_in' } })

/**
 * Lets in sockets of signed-in browsers, by the cookie of the handshake. While sessions cannot be looked up the connection is
 * cut instead: a client comes back by itself after a cut, and never after a refusal.
 */
export const admit =
  ({ browserSessions, parseCookie, log }: AdmitDeps) =>
  async (socket: BrowserSocket, next: (error?: Error) => void): Promise<void> => {
    const token = parseCookie(socket.handshake.headers.cookie ?? '')[sessionCookie]
    try {
      const session = token ? await browserSessions.resolve(token) : undefined
      if (!token || !session) return next(notSignedIn())
      socket.data = { ...session, token }
      next()
    } catch (error) {
      log.warn({ err: error }, 'a socket could not be admitted')
      socket.conn.close()
    }
  }
