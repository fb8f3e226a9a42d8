import type { Position } from '@prosa/kernel/event-store/port'
import type { PoolClient } from 'pg'

/** Whoever prepares or rebuilds this read model waits here for the others, until the transaction ends. */
export const lockPreparation = async (db: PoolClient, name: string): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('prepare ' || $1, 0))`, [name])
}

/** The version that built the table; undefined when there is no table. */
export const builtVersion = async (db: PoolClient, name: string, table: string): Promise<number | undefined> => {
  const { rows } = await db.query<{ version: number }>(
    'select version from checkpoint where name = $1 and to_regclass($2) is not null',
    [name, table],
  )
  return rows[0]?.version
}

/**
 * Holds the checkpoint for this transaction; false when it stands elsewhere than expected. The transaction will not wait for
 * the disk: a crash of the server may take back the latest batches, rows and checkpoint together, and they are folded again.
 */
export const holdCheckpoint = async (
  db: PoolClient,
  name: string,
  version: number,
  expected: Position,
): Promise<boolean> => {
  const { rows } = await db.query({
    name: 'checkpoint hold',
    text: `select set_config('synchronous_commit', 'off', true) from checkpoint
           where name = $1 and version = $2 and position = $3 for update`,
    values: [name, version, expected],
  })
  return rows.length === 1
}
