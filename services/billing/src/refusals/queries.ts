import type { Instant } from '@prosa/contracts/values/instant'
import type { RefusalReason, WebhookEndpoint } from '@prosa/contracts/values/kiwify'
import type { Ports } from '@prosa/kernel/ports'

type Pool = Ports['pool']

/** An hour in UTC: '2026-11-25T12'. */
export type Hour = string

export interface RefusedRow {
  hour: Hour
  endpoint: WebhookEndpoint
  reason: RefusalReason
  /** '' beyond the limit of addresses. */
  address: string
  count: number
  lastAt: Instant
}

export type RefusedCount = Pick<RefusedRow, 'endpoint' | 'reason' | 'count'>

/** Addresses over all processes; concurrent writers may exceed it once. */
const maxRowsPerHour = 100

/** A fixed row order prevents deadlocks. */
export const addRefused = async (pool: Pool, rows: readonly RefusedRow[]): Promise<void> => {
  const column = <F extends keyof RefusedRow>(field: F) => rows.map((row) => row[field])
  await pool.query({
    name: 'add refused deliveries',
    text: `insert into refused_delivery as r (hour, endpoint, reason, address, count, last_at)
           select hour, endpoint, reason, shown, sum(count), max(last_at) from (
             select n.*, case
               when exists (select from refused_delivery k where k.hour = n.hour and k.endpoint = n.endpoint
                              and k.reason = n.reason and k.address = n.address)
                 or (select count(*) from refused_delivery k where k.hour = n.hour) < ${maxRowsPerHour}
               then n.address else '' end as shown
             from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
               as n (hour, endpoint, reason, address, count, last_at)) counted
           group by hour, endpoint, reason, shown
           order by hour, endpoint, reason, shown
           on conflict (hour, endpoint, reason, address) do update
             set count = r.count + excluded.count, last_at = greatest(r.last_at, excluded.last_at)`,
    values: [
      column('hour'),
      column('endpoint'),
      column('reason'),
      column('address'),
      column('count'),
      column('lastAt'),
    ],
  })
}

const numbered = <Row extends { count: string }>(rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, count: Number(row.count) }))

/** Excludes hours counted by a clock that is ahead. */
export interface Hours {
  from: Hour
  to: Hour
}

export const findRefused = async (pool: Pool, { from, to }: Hours): Promise<(RefusedCount & { hour: Hour })[]> => {
  const { rows } = await pool.query<Omit<RefusedRow, 'count'> & { count: string }>({
    name: 'refused deliveries by hour',
    text: `select hour, endpoint, reason, sum(count)::text as count from refused_delivery where hour between $1 and $2
           group by hour, endpoint, reason order by hour, endpoint, reason`,
    values: [from, to],
  })
  return numbered(rows)
}

/** Sorted by the number of signed requests. */
export const findRefusedAddresses = async (
  pool: Pool,
  { from, to }: Hours,
  limit: number,
): Promise<{ address: string; count: number }[]> => {
  const { rows } = await pool.query<{ address: string; count: string }>({
    name: 'addresses of refused deliveries',
    text: `select address, sum(count)::text as count from refused_delivery
           where hour between $1 and $2 and reason <> 'unsigned' and address <> ''
           group by address order by sum(count) desc, address limit $3`,
    values: [from, to, limit],
  })
  return numbered(rows)
}

/** Latest first. */
export const findRefusedSources = async (
  pool: Pool,
  { from, to }: Hours,
  limit: number,
): Promise<Omit<RefusedRow, 'hour'>[]> => {
  const { rows } = await pool.query<Omit<RefusedRow, 'hour' | 'count'> & { count: string }>({
    name: 'sources of refused deliveries',
    text: `select endpoint, reason, address, sum(count)::text as count, max(last_at) as "lastAt" from refused_delivery
           where hour between $1 and $2 group by endpoint, reason, address
           order by max(last_at) desc, endpoint, reason, address limit $3`,
    values: [from, to, limit],
  })
  return numbered(rows)
}

export const deleteRefusedBefore = async (pool: Pool, hour: Hour): Promise<void> => {
  await pool.query('delete from refused_delivery where hour < $1', [hour])
}
