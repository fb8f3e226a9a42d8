import type { Instant } from '@prosa/contracts/values/instant'
import type { Pool } from 'pg'

export interface RefusedRow {
  /** '2026-11-27' in São Paulo. */
  day: string
  /** '' for visitors. */
  account: string
  /** 'POST /api/auth/login', with the names of its parameters. */
  route: string
  refusal: string
  /** Keyed hash; '' beyond the limits. */
  address: string
  count: number
  firstAt: Instant
  lastAt: Instant
}

/** Over all processes; concurrent writers may exceed it once. Beyond it only route and refusal are counted, of which there are few. */
export const maxRowsPerDay = 2000
/** So that one account or address leaves room for others. */
export const maxRowsPerAccount = 100

/** A fixed row order prevents deadlocks. */
export const addRefusals = async (pool: Pool, rows: readonly RefusedRow[]): Promise<void> => {
  const column = <F extends keyof RefusedRow>(field: F) => rows.map((row) => row[field])
  await pool.query({
    name: 'add refused requests',
    text: `insert into refused_request as r (day, account, route, refusal, address, count, first_at, last_at)
           select day, case when fits then account else '' end, route, refusal, case when fits then address else '' end,
             sum(count), min(first_at), max(last_at)
           from (
             select n.*, exists (select from refused_request k where k.day = n.day and k.account = n.account
                                   and k.route = n.route and k.refusal = n.refusal and k.address = n.address)
               or ((select count(*) from refused_request k where k.day = n.day) < ${maxRowsPerDay}
                 and (n.account = '' or (select count(*) from refused_request k
                                         where k.day = n.day and k.account = n.account) < ${maxRowsPerAccount})) as fits
             from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
               as n (day, account, route, refusal, address, count, first_at, last_at)) counted
           group by 1, 2, 3, 4, 5
           order by 1, 2, 3, 4, 5
           on conflict (day, account, route, refusal, address) do update
             set count = r.count + excluded.count, first_at = least(r.first_at, excluded.first_at),
               last_at = greatest(r.last_at, excluded.last_at)`,
    values: [
      column('day'),
      column('account'),
      column('route'),
      column('refusal'),
      column('address'),
      column('count'),
      column('firstAt'),
      column('lastAt'),
    ],
  })
}

export const deleteRefusalsBefore = async (pool: Pool, day: string): Promise<void> => {
  await pool.query('delete from refused_request where day < $1', [day])
}

export const deleteRefusalsOf = async (pool: Pool, account: string): Promise<void> => {
  await pool.query('delete from refused_request where account = $1', [account])
}
