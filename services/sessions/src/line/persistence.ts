import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { retry } from '@prosa/kernel/async/retry'
import { InvalidAppend } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import { ZodError } from 'zod'
import { LeaseLost } from '../leases/lease-keeper.ts'

/** Stores what WhatsApp sent, however long the database is unreachable. */
export interface Persistence {
  /**
   * Serial for each connection; works are retried, so they must be idempotent. Rejects when the process ends first, or it can never
   * succeed.
   */
  enqueue(connectionId: string, work: () => Promise<unknown>): Promise<void>
  /** False when the connection's works are not done in a moment. */
  isDone(connectionId: string): Promise<boolean>
  /** Number of failing works; 0 in health. */
  waiting(): number
  /** Waits briefly for current work, then rejects the rest. */
  stop(): Promise<void>
}

const backoff = { firstMs: 50, maxMs: 5000 }
const graceMs = 2000

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
      pauseAfter: (failures, error) =>
        error instanceof LeaseLost || neverFits(error) ? undefined : backoffMs(failures, backoff),
      onFailure(error, attempt) {
        if (error instanceof LeaseLost) return
        if (neverFits(error)) {
          // Logged here, because Baileys does not report its failed handlers.
          log.error({ connectionId, err: error }, 'cannot be stored, given up')
          return
        }
        failing.add(connectionId)
        log.warn({ connectionId, attempt, err: error }, 'not stored, will retry')
      },
    })
    if (!done) signal.throwIfAborted()
    failing.delete(connectionId)
  }

  return {
    enqueue(connectionId, work) {
      const done = queue.run(connectionId, () => untilDone(connectionId, work))
      const settle = () => {
        if (queue.length(connectionId) === 0) failing.delete(connectionId)
      }
      done.then(settle, settle)
      return done
    },
    async isDone(connectionId) {
      if (queue.length(connectionId) === 0) return true
      const over = new AbortController()
      const late = delay(graceMs, false, { signal: over.signal }).catch(() => false)
      return Promise.race([queue.run(connectionId, async () => true), late]).finally(() => over.abort())
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
