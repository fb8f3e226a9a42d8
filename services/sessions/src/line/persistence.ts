import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { retry } from '@prosa/kernel/async/retry'
import { InvalidAppend } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import { ZodError } from 'zod'
import { LeaseLost } from './leases/lease-keeper.ts'

/** Makes sure that what WhatsApp sent gets stored, however long the database is away. */
export interface Persistence {
  /**
   * Does the works of one connection one after the other; one that fails is repeated until it succeeds, so it must be
   * harmless to do it twice. Rejects when the process ends first, or when it can never succeed.
   */
  inTurn(connectionId: string, work: () => Promise<unknown>): Promise<void>
  /** How many works wait because storing fails; 0 when all is well. */
  waiting(): number
  /** Gives what is in hand a moment to be stored; then ends every repetition and rejects what still waits. */
  stop(): Promise<void>
}

const backoff = { firstMs: 50, maxMs: 5000 }
const graceMs = 2000

/** Data that does not fit its contract never will. */
const neverFits = (error: unknown) => error instanceof InvalidAppend || error instanceof ZodError

export const persistence = (log: Logger): Persistence => {
  const stopping = new AbortController()
  const { signal } = stopping
  const queue = keyedQueue()
  const failing = new Set<string>()

  const untilDone = async (connectionId: string, work: () => Promise<unknown>): Promise<void> => {
    const tryOnce = async () => {
      await work()
      return true
    }
    const done = await retry(tryOnce, {
      signal,
      // What another process looks after is not ours to store.
      pauseAfter: (failures, error) =>
        error instanceof LeaseLost || neverFits(error) ? undefined : backoffMs(failures, backoff),
      onFailure(error, attempt) {
        if (error instanceof LeaseLost) return
        if (neverFits(error)) {
          // Baileys, for one, does not report what it could not hand over.
          log.error({ connectionId, err: error }, 'not stored, and never will be')
          return
        }
        failing.add(connectionId)
        log.warn({ connectionId, attempt, err: error }, 'not stored, will try again')
      },
    })
    if (!done) signal.throwIfAborted()
    failing.delete(connectionId)
  }

  return {
    inTurn(connectionId, work) {
      const turn = queue.run(connectionId, () => untilDone(connectionId, work))
      const leave = () => {
        if (queue.length(connectionId) === 0) failing.delete(connectionId)
      }
      turn.then(leave, leave)
      return turn
    },
    waiting: () => [...failing].reduce((sum, connectionId) => sum + queue.length(connectionId), 0),
    async stop() {
      const settled = queue.idle()
      await Promise.race([settled, delay(failing.size > 0 ? 0 : graceMs)])
      stopping.abort(new Error('the process ends'))
      await settled
    },
  }
}
