import { pause } from '@prosa/kernel/async/pause'
import type { Authenticator } from '@prosa/kernel/http/authentication/authenticator'
import type { Logger } from '@prosa/kernel/observability/log'
import type { BrowserSocket } from './socket-server.ts'

export interface RecheckDeps {
  authenticator: Authenticator
  log: Logger
  sockets: () => Iterable<BrowserSocket>
  updateRoom: (socket: BrowserSocket) => Promise<void>
  everyMs: number
}

/** Sessions may expire, or be revoked in another process. Runs until the signal aborts. */
export const recheckSessions = async (
  { authenticator, log, sockets, updateRoom, everyMs }: RecheckDeps,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await pause(everyMs, signal)
    const open = [...sockets()]
    const firsts = new Map(open.map((socket) => [socket.data.sessionId, socket]))
    for (const [sessionId, { handshake, data }] of firsts) {
      if (signal.aborted) return
      try {
        const isActive = await authenticator.isActive(handshake.headers, data)
        for (const socket of open.filter((each) => each.data.sessionId === sessionId))
          if (isActive) await updateRoom(socket)
          else socket.disconnect(true)
      } catch (error) {
        log.warn({ err: error }, 'a browser session could not be checked')
      }
    }
  }
}
