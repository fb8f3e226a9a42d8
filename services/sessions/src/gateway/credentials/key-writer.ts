import { setImmediate } from 'node:timers/promises'
import { isUnreachable } from '@prosa/kernel/postgres/is-unreachable'
import type { Pool } from 'pg'
import { type KeyWrite, writeKeys } from './queries.ts'

export interface KeyWriter {
  /** False, without a write, when the lease is another's. Rejects as the database does. */
  write(write: KeyWrite): Promise<boolean>
}

interface Entry {
  write: KeyWrite
  resolve(isHeld: boolean): void
  reject(error: unknown): void
}

/**
 * Batches keys of different lines, because every message writes keys and each statement costs a commit. Writes succeed or fail alone; after
 * a failed statement each is retried alone.
 */
export const keyWriter = (pool: Pool): KeyWriter => {
  let waiting: Entry[] = []
  let isWriting = false

  const settle = async (entries: readonly Entry[]): Promise<void> => {
    try {
      const written = await writeKeys(
        pool,
        entries.map(({ write }) => write),
      )
      for (const { write, resolve } of entries) resolve(written.has(write.holder.connectionId))
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
      const { connectionId } = entry.write.holder
      if (batch.has(connectionId)) later.push(entry)
      else batch.set(connectionId, entry)
    }
    waiting = later
    return [...batch.values()]
  }

  const flush = async () => {
    isWriting = true
    while (waiting.length > 0) {
      // Lines that are ready in this tick join the batch.
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
