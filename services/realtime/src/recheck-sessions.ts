import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserSessions } from '@prosa/kernel/http/browser-sessions'
import type { Logger } from '@prosa/kernel/log'
import type { BrowserSocket } from './socket-server.ts'

export interface RecheckDeps {
  browserSessions: BrowserSessions
  log: Logger
  sockets: () => Iterable<BrowserSocket>
  everyMilliseconds: number
}

/** Closes the sockets of sessions that ended elsewhere: expired, or revoked in another process. Until the signal aborts. */
export const recheckSessions = async (
  { browserSessions, log, sockets, everyMilliseconds }: RecheckDeps,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await delay(everyMilliseconds, undefined, { signal }).catch(() => signal.aborted)
    const open = [...sockets()]
    for (const token of new Set(open.map(({ data }) => data.token))) {
      if (signal.aborted) return
      try {
        if (await browserSessions.resolve(token)) continue
        for (const socket of open) if (socket.data.token === token) socket.disconnect(true)
      } catch (error) {
        log.warn({ err: error }, 'a browser session could not be checked')
      }
    }
  }
}
