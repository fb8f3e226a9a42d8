import { pause } from '@prosa/kernel/async/pause'
import type { BrowserSessions } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Logger } from '@prosa/kernel/observability/log'
import type { BrowserSocket } from './socket-server.ts'

export interface RecheckDeps {
  browserSessions: BrowserSessions
  log: Logger
  sockets: () => Iterable<BrowserSocket>
  updateRoom: (socket: BrowserSocket) => Promise<void>
  everyMs: number
}

/** Sessions may expire, or be revoked in another process. Runs until the signal aborts. */
export const recheckSessions = async (
  { browserSessions, log, sockets, updateRoom, everyMs }: RecheckDeps,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await pause(everyMs, signal)
    const open = [...sockets()]
    for (const token of new Set(open.map(({ data }) => data.token))) {
      if (signal.aborted) return
      try {
        const isValid = await browserSessions.resolve(token)
        for (const socket of open.filter(({ data }) => data.token === token))
          if (isValid) await updateRoom(socket)
          else socket.disconnect(true)
      } catch (error) {
        log.warn({ err: error }, 'a browser session could not be checked')
      }
    }
  }
}
