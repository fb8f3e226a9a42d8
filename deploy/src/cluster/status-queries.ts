import type { Pool } from 'pg'

export interface LockHolder {
  /** `lockNumber` of its name. */
  lock: string
  /** `prosa-lock <machine>:<process id>` */
  session: string
}

/** Advisory locks of this database; a bigint's halves are in two columns. */
export const takenLocks = async (pool: Pool): Promise<LockHolder[]> => {
  const { rows } = await pool.query<LockHolder>(
    `select ((l.classid::bigint << 32) | l.objid::bigint)::text as lock, a.application_name as session
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
       and l.database = (select oid from pg_database where datname = current_database())
       and a.application_name like 'prosa-lock %'`,
  )
  return rows
}

export interface CheckpointRow {
  name: string
  position: string
}

export const allCheckpoints = async (pool: Pool): Promise<CheckpointRow[]> => {
  const { rows } = await pool.query<CheckpointRow>('select name, position from checkpoint order by name')
  return rows
}

export interface LineCount {
  /** As `living-process.ts` of sessions writes it; null: nobody's, or where processes cannot be distinguished. */
  process: string | null
  lines: number
}

/** By holder; `null` also counts lines that wait for one. */
export const leasedLines = async (pool: Pool): Promise<LineCount[]> => {
  const { rows } = await pool.query<LineCount>(
    `select case when expires_at > clock_timestamp() then holder_process end as process, count(*)::int as lines
     from connection_lease group by 1 order by 1`,
  )
  return rows
}
