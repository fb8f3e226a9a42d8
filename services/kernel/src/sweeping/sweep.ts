import { setTimeout as delay } from 'node:timers/promises'
import type { Ports } from '../ports.ts'
import { transaction } from '../postgres/pool.ts'
import { sweeps, takeBroom } from './queries.ts'

const rowsPerBatch = 1000
const betweenSweepsMilliseconds = 3_600_000

/** How many rows were deleted, by what they were; undefined when another process was sweeping. */
export type Swept = Record<string, number>

/** Deletes what is of no use any more, in batches that hold nobody up. */
export const sweep = async (pool: Ports['pool'], batch = rowsPerBatch): Promise<Swept | undefined> => {
  const swept: Swept = {}
  for (const [what, deleteSome] of Object.entries(sweeps))
    for (let isMore = true; isMore; ) {
      const deleted = await transaction(pool, async (db) => ((await takeBroom(db)) ? deleteSome(db, batch) : undefined))
      if (deleted === undefined) return undefined
      swept[what] = (swept[what] ?? 0) + deleted
      isMore = deleted === batch
    }
  return swept
}

/**
 * Sweeps at the start and every hour until the signal aborts. Any number of processes may: one of them does the work.
 */
export const keepSwept = async ({ pool, log }: Pick<Ports, 'pool' | 'log'>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      const swept = await sweep(pool)
      if (swept && Object.values(swept).some((rows) => rows > 0)) log.info({ swept }, 'rows of no use deleted')
    } catch (error) {
      log.warn({ err: error }, 'sweep interrupted')
    }
    await delay(betweenSweepsMilliseconds, undefined, { signal }).catch(() => signal.aborted)
  }
}
