import type { Pool } from 'pg'
import type { Position } from '../port.ts'

/** A part of the log, and when its events say that they were recorded. */
export interface TimedStretch {
  /** Exclusive. */
  after: Position
  /** Inclusive. */
  upTo: Position
  earliest: string
  latest: string
}

/** Where the index ends. */
export const findIndexed = async (pool: Pool): Promise<Position | undefined> => {
  const { rows } = await pool.query<{ position: Position }>(
    'select up_to as position from log_time order by up_to desc limit 1',
  )
  return rows[0]?.position
}

/** Two processes that index at once write the same rows, or the later writes none. */
export const insertStretch = async (pool: Pool, { after, upTo, earliest, latest }: TimedStretch): Promise<void> => {
  await pool.query(
    'insert into log_time (after_position, up_to, earliest, latest) values ($1, $2, $3, $4) on conflict do nothing',
    [after, upTo, earliest, latest],
  )
}

/** In order; neighbours are one. `after`: what ends before it is left out. */
export const findStretches = async (
  pool: Pool,
  { since, until }: { since: string | undefined; until: string | undefined },
  after: Position,
  limit: number,
): Promise<{ after: Position; upTo: Position }[]> => {
  const { rows } = await pool.query<{ after: Position; upTo: Position }>(
    `with found as (
       select after_position, up_to, after_position is distinct from lag(up_to) over (order by up_to) as begins
       from log_time
       where tstzrange(earliest, latest, '[]') && tstzrange($1::timestamptz, $2::timestamptz, '[)') and up_to > $3
     ), numbered as (select *, count(*) filter (where begins) over (order by up_to) as number from found)
     select min(after_position) as after, max(up_to) as "upTo" from numbered group by number order by number limit $4`,
    [since ?? null, until ?? null, after, limit],
  )
  return rows
}

/** The last one with an event of this time or before, as far as the index reached. */
export const findLastStretch = async (
  pool: Pool,
  time: string,
  indexed: Position,
): Promise<{ after: Position; upTo: Position } | undefined> => {
  const { rows } = await pool.query<{ after: Position; upTo: Position }>(
    `select after_position as after, up_to as "upTo" from log_time
     where earliest <= $1::timestamptz and up_to <= $2 order by up_to desc limit 1`,
    [time, indexed],
  )
  return rows[0]
}
