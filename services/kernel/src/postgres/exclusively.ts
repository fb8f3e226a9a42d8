import { pause } from '../async/pause.ts'
import { joinLockSessions } from './lock-session.ts'

const retryMs = 500

export interface ExclusiveOptions {
  /** Called with the reason why the lock was lost or the work failed, before it is tried again. */
  onTrouble: (error: unknown) => void
  /** A holder from which the server has received nothing for so long loses the lock; 15 s by default. */
  silenceMs?: number
}

/**
 * Work of which one process at a time is in charge. The signal aborts when that is over. A process that was frozen may not have
 * been notified yet: `isMine` goes by the process's own clock, and aborts the signal where it answers false.
 */
export type ExclusiveWork = (signal: AbortSignal, isMine: () => boolean) => Promise<void>

/**
 * Runs `work` while this process alone holds the lock of that name, until `signal` aborts. A second process waits in
 * line and takes over within a second when the first ends or loses its connection, and after the silence when it is
 * frozen or cut off: the server then ends the session that holds the lock (`idle_session_timeout`, PostgreSQL 14 or
 * later). What the first still has in hand then must be harmless: what it stores, by its checkpoint; what it causes, by
 * ids that follow from events.
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
