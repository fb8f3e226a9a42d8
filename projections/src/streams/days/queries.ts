import type { Pool } from 'pg'

export interface DayFile {
  /** CloudEvents type. */
  type: string
  events: number
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

export interface DayOfReader {
  /** A tenant's id, or 'platform'. */
  reader: string
  /** UTC, `2026-11-26`. */
  day: string
}

export interface KnownDay extends DayOfReader {
  id: string
  contract: string
  status: 'making' | 'ready'
  /** Since its maker was last known to work. */
  silentMs: number
}

export const findDay = async (pool: Pool, { reader, day }: DayOfReader): Promise<KnownDay | undefined> => {
  const { rows } = await pool.query<KnownDay>(
    `select id, reader, day, contract, status, extract(epoch from now() - touched_at)::float8 * 1000 as "silentMs"
     from stream_day where reader = $1 and day = $2 and status <> 'dropped'`,
    [reader, day],
  )
  return rows[0]
}

export const findFiles = async (pool: Pool, id: string): Promise<DayFile[]> => {
  const { rows } = await pool.query<DayFile>(
    'select type, events::float8, bytes::float8, sha256 from stream_day_file where day_id = $1 order by type',
    [id],
  )
  return rows
}

/** False where another maker is at it. */
export const beginDay = async (pool: Pool, id: string, of: DayOfReader, contract: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `insert into stream_day (id, reader, day, contract, status) values ($1, $2, $3, $4, 'making') on conflict do nothing`,
    [id, of.reader, of.day, contract],
  )
  return rowCount === 1
}

/** False once it was dropped. */
export const touchDay = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `update stream_day set touched_at = now() where id = $1 and status = 'making'`,
    [id],
  )
  return rowCount === 1
}

/** False if it was dropped meanwhile. */
export const finishDay = async (pool: Pool, id: string, files: readonly DayFile[]): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `with ready as (update stream_day set status = 'ready', touched_at = now() where id = $1 and status = 'making' returning id),
     inserted as (
       insert into stream_day_file (day_id, type, events, bytes, sha256)
       select ready.id, f.type, f.events, f.bytes, f.sha256
       from ready, unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) f (type, events, bytes, sha256)
     ) select from ready`,
    [
      id,
      files.map(({ type }) => type),
      files.map(({ events }) => events),
      files.map(({ bytes }) => bytes),
      files.map(({ sha256 }) => sha256),
    ],
  )
  return rowCount === 1
}

/** Of a day that is ready it is when it was asked for last, to the hour. */
export const noteAsked = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(
    `update stream_day set touched_at = now() where id = $1 and status = 'ready' and touched_at < now() - interval '1 hour'`,
    [id],
  )
}

/** What nobody asked for in so many days. */
export const dropUnused = async (pool: Pool, unusedDays: number): Promise<void> => {
  await pool.query(
    `update stream_day set status = 'dropped' where status = 'ready' and touched_at < now() - make_interval(days => $1)`,
    [unusedDays],
  )
}

export const dropDay = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(`update stream_day set status = 'dropped' where id = $1 and status <> 'dropped'`, [id])
}

/** Pairs of reader and day. */
export const dropDays = async (pool: Pool, days: readonly DayOfReader[]): Promise<void> => {
  if (days.length === 0) return
  await pool.query(
    `update stream_day d set status = 'dropped' from unnest($1::text[], $2::text[]) x (reader, day)
     where d.reader = x.reader and d.day = x.day and d.status <> 'dropped'`,
    [days.map(({ reader }) => reader), days.map(({ day }) => day)],
  )
}

/** All of the reader from that day on. */
export const dropDaysSince = async (pool: Pool, { reader, day }: DayOfReader): Promise<void> => {
  await pool.query(`update stream_day set status = 'dropped' where reader = $1 and day >= $2 and status <> 'dropped'`, [
    reader,
    day,
  ])
}

export const findDropped = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(`select id from stream_day where status = 'dropped'`)
  return rows.map(({ id }) => id)
}

export const deleteDropped = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(`delete from stream_day where id = $1 and status = 'dropped'`, [id])
}
