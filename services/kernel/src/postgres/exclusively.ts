import { pause } from '../async/pause.ts'
import { joinLockSessions } from './lock-session.ts'

const retryMs = 500

export interface ExclusiveOptions {
  /** Called before each retry. */
  onTrouble: (error: unknown) => void
  /** The server then takes the lock from a silent holder; 15 s by default. */
  silenceMs?: number
}

/** Aborts on loss. A frozen process may not know yet: `isMine` checks its own clock and aborts the signal. */
export type ExclusiveWork = (signal: AbortSignal, isMine: () => boolean) => Promise<void>

/**
 * Another process takes over within a second after a disconnect, or after the silence (`idle_session_timeout`, PostgreSQL 14). Late writes
 * of the former holder must be harmless: guarded by a checkpoint, or with ids derived from events.
 */
export const exclusively = async (
  url: string,
  name: string,
  signal: AbortSignal,
  work: ExclusiveWork,
  { onTrouble, silenceMs = 15_000 }: ExclusiveOptions,
): Promise<void> => {
  const sessions = joinLockSessions(url, silenceMs)
  while (!signal.aborted) {
    try {
      const session = await sessions.current()
      if (await session.take(name)) {
        await work(AbortSignal.any([signal, session.lost]), session.isMine).finally(() => session.give(name))
        if (session.lost.aborted && !signal.aborted) onTrouble(session.lost.reason)
      }
    } catch (error) {
      if (!signal.aborted) onTrouble(error)
    }
    await pause(retryMs, signal)
  }
  await sessions.leave()
}
