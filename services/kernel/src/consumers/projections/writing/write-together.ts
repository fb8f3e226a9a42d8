import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import { isUnreachable } from '../../../postgres/is-unreachable.ts'
import { type Change, moveTogether } from '../queries.ts'

export interface WriteTogether {
  /** Atomic; false when the checkpoint differs or a presumed new row exists. Rejects with database errors. */
  write(change: Change): Promise<boolean>
}

interface Entry {
  change: Change
  resolve(isWritten: boolean): void
  reject(error: unknown): void
}

/**
 * Group commit: one statement for an event that concerns several projections; the next gathers meanwhile, without a timer. A failed
 * statement is halved to the faulty change.
 */
export const writeTogether = (pool: Pool): WriteTogether => {
  let waiting: Entry[] = []
  let isFlushing = false

  const settle = async (entries: readonly Entry[]): Promise<void> => {
    try {
      const moved = await moveTogether(
        pool,
        entries.map(({ change }) => change),
      )
      for (const { change, resolve } of entries) resolve(moved.has(change.name))
    } catch (error) {
      if (entries.length === 1 || isUnreachable(error)) {
        for (const { reject } of entries) reject(error)
        return
      }
      const middle = entries.length >> 1
      await settle(entries.slice(0, middle))
      await settle(entries.slice(middle))
    }
  }

  /** One change per projection: results are by name. */
  const takeBatch = (): Entry[] => {
    const batch = new Map<string, Entry>()
    const later: Entry[] = []
    for (const entry of waiting) {
      if (batch.has(entry.change.name)) later.push(entry)
      else batch.set(entry.change.name, entry)
    }
    waiting = later
    return [...batch.values()]
  }

  const flush = async () => {
    isFlushing = true
    while (waiting.length > 0) {
      // Projections with the same events join in this tick.
      await setImmediate()
      await settle(takeBatch())
    }
    isFlushing = false
  }

  return {
    write: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject })
        if (!isFlushing) void flush()
      }),
  }
}
