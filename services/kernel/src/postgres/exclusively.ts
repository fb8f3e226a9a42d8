import { pause } from '../async/pause.ts'
import { contendFor } from './lock-contest.ts'

const retryMs = 500

export interface ExclusiveOptions {
  /** Called before each retry. */
  onTrouble: (error: unknown) => void
  /** False while the work shall not go to another process that has less than its share. */
  isMovable?: () => boolean
  /** Work goes only to processes with the same; 0 by default. Four in a row are distinguished. */
  generation?: number
  /** The server then takes the lock from a silent holder; 15 s by default. */
  silenceMs?: number | undefined
}

/**
 * Aborts on loss, and when the work shall go to another process. A frozen process may not know yet: `isMine` checks its own clock and
 * aborts the signal.
 */
export type ExclusiveWork = (signal: AbortSignal, isMine: () => boolean) => Promise<void>

/**
 * Another process takes over within a second after a disconnect, or after the silence (`idle_session_timeout`, PostgreSQL 14). Late writes
 * of the former holder must be harmless: guarded by a checkpoint, or with ids derived from events. Processes that want the same locks share
 * them: decision 0069.
 */
export const exclusively = async (
  url: string,
  name: string,
  signal: AbortSignal,
  work: ExclusiveWork,
  { onTrouble, isMovable = () => true, generation = 0, silenceMs = 15_000 }: ExclusiveOptions,
): Promise<void> => {
  if (signal.aborted) return
  const contender = contendFor(url, silenceMs, { name, generation, isMovable, onTrouble })
  signal.addEventListener('abort', contender.withdraw, { once: true })
  while (!signal.aborted) {
    const taken = await contender.acquire(signal)
    if (!taken) break
    const { session, handover } = taken
    try {
      const until = AbortSignal.any([signal, session.lost, handover])
      await work(until, session.isMine).finally(taken.release)
      if (session.lost.aborted && !signal.aborted) onTrouble(session.lost.reason)
    } catch (error) {
      if (!signal.aborted) onTrouble(error)
    }
    await pause(retryMs, signal)
  }
  await contender.leave()
}
