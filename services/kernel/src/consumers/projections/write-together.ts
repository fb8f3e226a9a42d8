import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import { isUnreachable } from '../../postgres/is-unreachable.ts'
import { type Change, moveTogether } from './queries.ts'

export interface WriteTogether {
  /**
   * Writes the rows of a change and moves its checkpoint, both or neither; false when the checkpoint is not where the
   * change expects it, or a row is there that the change takes for new: then nothing was written. Rejects as the database
   * does.
   */
  write(change: Change): Promise<boolean>
}

interface Entry {
  change: Change
  resolve(isWritten: boolean): void
  reject(error: unknown): void
}

/**
 * Writes what the projections of one process fold at the same time in one statement: an event that concerns three of them
 * costs one round trip and one commit. While one statement is under way the next gathers, so nobody waits for a timer. Each
 * change is written or refused for itself; where a statement fails it is halved until the change at fault fails alone.
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

  /** One change a projection: two of one name cannot be distinguished in the answer. */
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
      // Projections that receive the same events in this turn join before the statement leaves.
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
