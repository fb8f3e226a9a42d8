import { setImmediate } from 'node:timers/promises'
import { isUnreachable } from '@prosa/kernel/postgres/is-unreachable'
import type { Pool } from 'pg'
import { type KeyWrite, writeKeys } from './queries.ts'

export interface KeyWriter {
  /** Stores all keys of the write or none; false when the lease is another's, and nothing was written. Rejects as the database does. */
  write(write: KeyWrite): Promise<boolean>
}

interface Entry {
  write: KeyWrite
  resolve(isHeld: boolean): void
  reject(error: unknown): void
}

/**
 * Writes keys of different lines in one statement: every message turns a ratchet, and each statement costs a commit. While one is
 * under way the next gathers, so nobody waits for a timer. Each write is stored or refused for itself; where a statement fails,
 * each is tried alone.
 */
export const keyWriter = (pool: Pool): KeyWriter => {
  let waiting: Entry[] = []
  let isWriting = false

  const settle = async (entries: readonly Entry[]): Promise<void> => {
    try {
      const held = await writeKeys(
        pool,
        entries.map(({ write }) => write),
      )
      for (const { write, resolve } of entries) resolve(held.has(write.owner.connectionId))
    } catch (error) {
      if (entries.length > 1 && !isUnreachable(error)) for (const entry of entries) await settle([entry])
      else for (const { reject } of entries) reject(error)
    }
  }

  /** One write a connection: the next may change the same keys. */
  const takeBatch = (): Entry[] => {
    const batch = new Map<string, Entry>()
    const later: Entry[] = []
    for (const entry of waiting) {
      const { connectionId } = entry.write.owner
      if (batch.has(connectionId)) later.push(entry)
      else batch.set(connectionId, entry)
    }
    waiting = later
    return [...batch.values()]
  }

  const flush = async () => {
    isWriting = true
    while (waiting.length > 0) {
      // Lines that are ready in this turn join before the statement leaves.
      await setImmediate()
      await settle(takeBatch())
    }
    isWriting = false
  }

  return {
    write: (write) =>
      new Promise((resolve, reject) => {
        waiting.push({ write, resolve, reject })
        if (!isWriting) void flush()
      }),
  }
}
