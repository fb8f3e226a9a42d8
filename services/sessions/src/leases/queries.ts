import type { Pool } from 'pg'
import { lineChannel } from '../line-channel.ts'

/** `process` as in `living-process.ts`. */
export interface Holder {
  id: string
  process: string | undefined
}

export interface LeaseRow {
  connectionId: string
  token: string
}

export const insertLeases = async (pool: Pool, connectionIds: readonly string[]): Promise<void> => {
  await pool.query(
    'insert into connection_lease (connection_id) select unnest($1::uuid[]) on conflict (connection_id) do nothing',
    [connectionIds],
  )
}

/** Longest free first. Two processes never get the same. */
export const takeFreeLeases = async (
  pool: Pool,
  { id, process }: Holder,
  ms: number,
  limit: number,
): Promise<LeaseRow[]> => {
  const { rows } = await pool.query<LeaseRow>(
    `update connection_lease l
     set holder = $1, holder_process = $4, token = nextval('connection_lease_token'),
         expires_at = clock_timestamp() + make_interval(secs => $2::double precision / 1000)
     from (
       select connection_id from connection_lease where expires_at <= clock_timestamp()
       order by expires_at limit $3 for update skip locked
     ) free
     where l.connection_id = free.connection_id
     returning l.connection_id as "connectionId", l.token`,
    [id, ms, limit, process ?? null],
  )
  return rows
}

/** Also removes processes that ended without a word. */
export const noteProcess = async (pool: Pool, id: string, ms: number): Promise<void> => {
  await pool.query(
    `with gone as (delete from session_process where expires_at < clock_timestamp() - interval '1 hour')
     insert into session_process (holder, expires_at)
     values ($1, clock_timestamp() + make_interval(secs => $2::double precision / 1000))
     on conflict (holder) do update set expires_at = excluded.expires_at`,
    [id, ms],
  )
}

export const forgetProcess = async (pool: Pool, id: string): Promise<void> => {
  await pool.query('delete from session_process where holder = $1', [id])
}

/** Of the leases, for one of the living processes, rounded up; `id` counts as living. */
export const fairShare = async (pool: Pool, id: string): Promise<number> => {
  const { rows } = await pool.query<{ share: number }>(
    `select ceil(
       (select count(*) from connection_lease)::numeric /
       (1 + (select count(*) from session_process where holder <> $1 and expires_at > clock_timestamp()))
     )::int as share`,
    [id],
  )
  return rows[0]?.share ?? 0
}

export const holdersOn = async (pool: Pool, machine: string): Promise<string[]> => {
  const { rows } = await pool.query<{ process: string }>(
    `select distinct holder_process as process from connection_lease
     where expires_at > clock_timestamp() and starts_with(holder_process, $1)`,
    [machine],
  )
  return rows.map(({ process }) => process)
}

export const endLeasesOf = async (pool: Pool, process: string): Promise<void> => {
  await pool.query(
    `with gone as (
       delete from session_process
       where holder in (select holder from connection_lease where holder_process = $1)
     )
     update connection_lease set expires_at = '-infinity' where holder_process = $1`,
    [process],
  )
}

/** Locks in the common order, so that no deadlock arises. */
const lockedInOrder = `select l.connection_id
  from unnest($1::uuid[], $2::bigint[]) w (connection_id, token)
  join connection_lease l on l.connection_id = w.connection_id and l.token = w.token
  order by l.connection_id for update of l`

export const renewLeases = async (pool: Pool, leases: readonly LeaseRow[], ms: number): Promise<Set<string>> => {
  const { rows } = await pool.query<{ token: string }>(
    `with held as (${lockedInOrder})
     update connection_lease l
     set expires_at = clock_timestamp() + make_interval(secs => $3::double precision / 1000)
     from held where l.connection_id = held.connection_id
     returning l.token`,
    [leases.map(({ connectionId }) => connectionId), leases.map(({ token }) => token), ms],
  )
  return new Set(rows.map(({ token }) => token))
}

export const releaseLeases = async (pool: Pool, leases: readonly LeaseRow[]): Promise<void> => {
  await pool.query(
    `with held as (${lockedInOrder}),
     released as (
       update connection_lease l set expires_at = '-infinity', holder = null
       from held where l.connection_id = held.connection_id
     )
     select pg_notify('${lineChannel}', '')`,
    [leases.map(({ connectionId }) => connectionId), leases.map(({ token }) => token)],
  )
}

export const deleteLease = async (pool: Pool, { connectionId, token }: LeaseRow): Promise<void> => {
  await pool.query('delete from connection_lease where connection_id = $1 and token = $2', [connectionId, token])
}
