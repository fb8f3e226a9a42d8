import type { ClientBase, Pool } from 'pg'
import type { Position } from '../port.ts'

/** The log that a database belongs to. */
export interface KnownLog {
  logId: string
  /** Without credentials. */
  address: string
  /** False while the log may not bear the id yet. */
  isConfirmed: boolean
}

export const findKnownLog = async (pool: Pool | ClientBase): Promise<KnownLog | undefined> => {
  const { rows } = await pool.query<KnownLog>(
    'select log_id as "logId", address, is_confirmed as "isConfirmed" from log_identity',
  )
  return rows[0]
}

/** Held by `move-log` for as long as it runs. */
export const moveLock = `hashtextextended('move log', 0)`

export const isMoving = async (pool: Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ isFree: boolean }>(
    `select pg_try_advisory_xact_lock_shared(${moveLock}) as "isFree"`,
  )
  return rows[0]?.isFree !== true
}

/** The first process decides; returns its id. */
export const claimLogId = async (pool: Pool, logId: string, address: string): Promise<string> => {
  await pool.query(
    'insert into log_identity (log_id, address, is_confirmed) values ($1, $2, false) on conflict do nothing',
    [logId, address],
  )
  const known = await findKnownLog(pool)
  if (!known) throw new Error('the identity of the log was deleted during the start')
  return known.logId
}

export const confirmLog = async (pool: Pool, logId: string, address: string): Promise<void> => {
  await pool.query(
    `update log_identity set is_confirmed = true, address = $2
     where log_id = $1 and (not is_confirmed or address <> $2)`,
    [logId, address],
  )
}

/** Of all consumers; undefined where nothing of a log was ever read. */
export const furthestCheckpoint = async (pool: Pool | ClientBase): Promise<Position | undefined> => {
  const { rows } = await pool.query<{ position: Position }>(
    `select position from checkpoint where position > '' order by length(position) desc, position desc limit 1`,
  )
  return rows[0]?.position
}
