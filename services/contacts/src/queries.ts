import { transaction } from '@prosa/kernel/postgres/pool'
import type { Pool } from 'pg'
import { openLineSchema } from './table.ts'

const migrationLock = 724_011

/** Creates this service's own table where it is missing. Two processes may start at once. */
export const createContactTables = (pool: Pool): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await client.query(openLineSchema)
  })

export const keepLine = async (pool: Pool, connectionId: string, owner: string): Promise<void> => {
  await pool.query(
    `insert into open_line (connection_id, owner) values ($1, $2)
     on conflict (connection_id) do update set owner = excluded.owner`,
    [connectionId, owner],
  )
}

export const dropLine = async (pool: Pool, connectionId: string): Promise<void> => {
  await pool.query('delete from open_line where connection_id = $1', [connectionId])
}

export const hasOpenLine = async (pool: Pool, owner: string): Promise<boolean> => {
  const { rowCount } = await pool.query('select from open_line where owner = $1 limit 1', [owner])
  return rowCount === 1
}
