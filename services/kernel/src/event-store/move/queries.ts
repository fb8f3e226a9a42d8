import { type ClientBase, escapeIdentifier } from 'pg'
import { moveLock } from '../identity/queries.ts'
import type { Position } from '../port.ts'

/** Not those of the move itself, nor of its event stores. */
const productSessions = ['prosa', 'prosa-lock', 'prosa-listen']

/** For the session: ends with it. */
export const takeMoveLock = async (db: ClientBase): Promise<boolean> => {
  const { rows } = await db.query<{ taken: boolean }>(`select pg_try_advisory_lock(${moveLock}) as taken`)
  return rows[0]?.taken === true
}

/** Each process of the product has a session that listens for as long as it runs, and one with its locks. */
export const isProductRunning = async (db: ClientBase): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = any($1)`,
    [productSessions],
  )
  return rowCount !== 0
}

/** False in databases of earlier releases. */
export const knowsOfLogs = async (db: ClientBase): Promise<boolean> => {
  const { rows } = await db.query<{ known: boolean }>(`select to_regclass('log_identity') is not null as known`)
  return rows[0]?.known === true
}

/** Ends with the session. */
export const createPositions = async (db: ClientBase): Promise<void> => {
  await db.query(
    'create temporary table moved_position (source text collate "C" primary key, target text collate "C" not null)',
  )
}

export const insertPositions = async (
  db: ClientBase,
  source: readonly Position[],
  target: readonly Position[],
): Promise<void> => {
  await db.query('insert into moved_position select * from unnest($1::text[], $2::text[])', [source, target])
}

export const analyzePositions = async (db: ClientBase): Promise<void> => {
  await db.query('analyze pg_temp.moved_position')
}

/** All or nothing; a failure ends the session, and with it the transaction. */
export const atOnce = async (db: ClientBase, work: () => Promise<void>): Promise<void> => {
  await db.query('begin')
  await work()
  await db.query('commit')
}

/** A position between events, such as a checkpoint's, becomes that of the last event before it. */
export const movePositions = async (db: ClientBase, table: string): Promise<void> => {
  await db.query(
    `update ${escapeIdentifier(table)} t set position = coalesce(
       (select target from pg_temp.moved_position where source <= t.position order by source desc limit 1), ''
     ) where position <> ''`,
  )
}

/** Their rows hold positions: without a checkpoint they are built anew. */
export const forgetReadModels = async (db: ClientBase): Promise<void> => {
  await db.query(
    `delete from checkpoint c using read_model m where c.name in (m.name, m.name || ' (rebuild)', m.name || ' (renewal)')`,
  )
  await db.query(
    'update read_model set began_at = null, began_done = null, done = null, total = null, reported_at = null',
  )
}

/** Positions may be in the encrypted states. */
export const deleteSnapshots = async (db: ClientBase): Promise<void> => {
  await db.query('delete from stream_snapshot')
  await db.query('delete from stream_entry')
}

/** Indexed anew. */
export const forgetLogTimes = async (db: ClientBase): Promise<void> => {
  await db.query('delete from log_time')
}

/** The other log has a chain of its own; should this one come back, the file of heads makes the same blocks again. */
export const forgetBlocks = async (db: ClientBase): Promise<void> => {
  await db.query('delete from log_block')
}

/** False where the database belongs to another log meanwhile. */
export const changeLog = async (db: ClientBase, from: string, to: string, address: string): Promise<boolean> => {
  const { rowCount } = await db.query('update log_identity set log_id = $2, address = $3 where log_id = $1', [
    from,
    to,
    address,
  ])
  return rowCount === 1
}
