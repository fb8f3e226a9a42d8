import { type Refusal, refusals } from '@prosa/contracts/refusals'
import type { Authenticator } from '@prosa/kernel/http/authentication/authenticator'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SocketLimits } from './socket-limits.ts'
import type { BrowserSocket } from './socket-server.ts'

export interface AdmitDeps {
  authenticator: Authenticator
  log: Logger
  admitsTo: SocketLimits['admitsTo']
}

/** Browsers get it as `connect_error`, the refusal's name in `data.type`. */
const refusedBy = (type: Refusal) => Object.assign(new Error(refusals[type].title), { data: { type } })

/** While sessions cannot be looked up it disconnects: clients retry after that, but never after a refusal. */
export const admit =
  ({ authenticator, log, admitsTo }: AdmitDeps) =>
  async (socket: BrowserSocket, next: (error?: Error) => void): Promise<void> => {
    try {
      const session = await authenticator.authenticate(socket.handshake.headers)
      if (!session) return next(refusedBy('not_signed_in'))
      if (session.mustChangePassword) return next(refusedBy('password_must_be_changed'))
      if (socket.conn.readyState !== 'open') return
      if (!(await admitsTo(session, socket))) return next(refusedBy('too_many_sockets'))
      socket.data = session
      next()
    } catch (error) {
      log.warn({ err: error }, 'a socket could not be admitted')
      socket.conn.close()
    }
  }
