import { type Refusal, refusals } from '@prosa/contracts/refusals'
import { type BrowserSessions, sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SocketLimits } from './socket-limits.ts'
import type { BrowserSocket } from './socket-server.ts'

export interface AdmitDeps {
  browserSessions: BrowserSessions
  parseCookie: (header: string) => Record<string, string | undefined>
  log: Logger
  admitsTo: SocketLimits['admitsTo']
}

/** Browsers get it as `connect_error`, the refusal's name in `data.type`. */
const refusedBy = (type: Refusal) => Object.assign(new Error(refusals[type].title), { data: { type } })

/** While sessions cannot be looked up it disconnects: clients retry after that, but never after a refusal. */
export const admit =
  ({ browserSessions, parseCookie, log, admitsTo }: AdmitDeps) =>
  async (socket: BrowserSocket, next: (error?: Error) => void): Promise<void> => {
    const token = parseCookie(socket.handshake.headers.cookie ?? '')[sessionCookie]
    try {
      const session = token ? await browserSessions.resolve(token) : undefined
      if (!token || !session) return next(refusedBy('not_signed_in'))
      if (session.mustChangePassword) return next(refusedBy('password_must_be_changed'))
      // Closed meanwhile: its slot would never be released.
      if (socket.conn.readyState !== 'open') return
      if (!admitsTo(session, socket)) return next(refusedBy('too_many_sockets'))
      socket.data = { ...session, token }
      next()
    } catch (error) {
      log.warn({ err: error }, 'a socket could not be admitted')
      socket.conn.close()
    }
  }
