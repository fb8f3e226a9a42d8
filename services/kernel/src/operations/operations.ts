import type { Pool } from 'pg'
import { repeat } from '../async/retry.ts'
import { readModelRebuildHandler } from '../consumers/projections/rebuild/read-model-rebuild.ts'
import { decideOnWorkRetried } from '../consumers/reactors/decide-on-work-retried.ts'
import { rebuildOnRebuildRequested } from '../consumers/reactors/rebuild-on-rebuild-requested.ts'
import type { Logger } from '../observability/log.ts'
import type { Service } from '../ports.ts'
import { transaction } from '../postgres/pool.ts'
import { cleanups, lockCleanup } from './queries.ts'

const rowsPerBatch = 1000
const betweenCleanupsMs = 3_600_000

/** Counts by kind of row; undefined while another process cleans up. */
type DeletedRows = Record<string, number>

export const cleanUp = async (pool: Pool, batch = rowsPerBatch): Promise<DeletedRows | undefined> => {
  const deletedRows: DeletedRows = {}
  for (const [what, deleteSome] of Object.entries(cleanups))
    for (let isMore = true; isMore; ) {
      const deleted = await transaction(pool, async (db) =>
        (await lockCleanup(db)) ? deleteSome(db, batch) : undefined,
      )
      if (deleted === undefined) return undefined
      deletedRows[what] = (deletedRows[what] ?? 0) + deleted
      isMore = deleted === batch
    }
  return deletedRows
}

/** Runs at the start and every hour; one of several processes does the work. */
const runCleanup = async ({ pool, log }: { pool: Pool; log: Logger }, signal: AbortSignal): Promise<void> => {
  const clean = async () => {
    const deletedRows = await cleanUp(pool)
    if (deletedRows && Object.values(deletedRows).some((rows) => rows > 0))
      log.info({ deletedRows }, 'expired rows deleted')
  }
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cleanup interrupted')
  await repeat(clean, { signal, pauseAfter: () => betweenCleanupsMs, onFailure })
}

/** Part of every host. */
export const operations: Service = {
  name: 'maintenance',
  async mount(ports) {
    const { pool } = ports
    const rebuilds = readModelRebuildHandler(ports)
    return {
      reactors: [decideOnWorkRetried(pool), rebuildOnRebuildRequested({ pool, rebuilds })],
      run: (signal) => runCleanup(ports, signal),
    }
  },
}
