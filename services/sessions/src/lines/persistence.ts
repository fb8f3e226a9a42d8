import { setTimeout as delay } from 'node:timers/promises'
import { InvalidAppend } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import { ZodError } from 'zod'
import { LeaseLost } from '../leases/lease-keeper.ts'

/** Makes sure that what WhatsApp said gets stored, however long the database is away. */
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

const firstPauseMilliseconds = 50
const longestPauseMilliseconds = 5000
const graceMilliseconds = 2000

/** Data that does not fit its contract never will. */
const neverFits = (error: unknown) => error instanceof InvalidAppend || error instanceof ZodError

export const persistence = (log: Logger): Persistence => {
  const stopping = new AbortController()
  const { signal } = stopping
  const turns = new Map<string, Promise<void>>()
  const failing = new Set<string>()
  const counts = new Map<string, number>()

  const untilDone = async (connectionId: string, work: () => Promise<unknown>) => {
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted()
      try {
        await work()
        failing.delete(connectionId)
        return
      } catch (error) {
        // What another process looks after is not ours to store.
        if (signal.aborted || error instanceof LeaseLost) throw error
        if (neverFits(error)) {
          // Baileys, for one, says nothing of what it could not hand over.
          log.error({ connectionId, err: error }, 'not stored, and never will be')
          throw error
        }
        failing.add(connectionId)
        log.warn({ connectionId, attempt, err: error }, 'not stored, will try again')
        const pause = Math.min(firstPauseMilliseconds * 2 ** attempt, longestPauseMilliseconds)
        await delay(pause * (0.5 + Math.random() / 2), undefined, { signal })
      }
    }
  }

  return {
    inTurn(connectionId, work) {
      const turn = (turns.get(connectionId) ?? Promise.resolve()).then(() => untilDone(connectionId, work))
      counts.set(connectionId, (counts.get(connectionId) ?? 0) + 1)
      const settled = turn.then(
        () => undefined,
        // The caller hears of it; the next in line goes on.
        () => undefined,
      )
      turns.set(connectionId, settled)
      void settled.then(() => {
        const left = (counts.get(connectionId) ?? 1) - 1
        if (left > 0) counts.set(connectionId, left)
        else {
          counts.delete(connectionId)
          turns.delete(connectionId)
          failing.delete(connectionId)
        }
      })
      return turn
    },
    waiting: () => [...failing].reduce((sum, connectionId) => sum + (counts.get(connectionId) ?? 0), 0),
    async stop() {
      const settled = Promise.all(turns.values())
      await Promise.race([settled, delay(failing.size > 0 ? 0 : graceMilliseconds)])
      stopping.abort(new Error('the process ends'))
      await settled
    },
  }
}
