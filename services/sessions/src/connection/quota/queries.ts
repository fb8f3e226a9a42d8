import type { Instant } from '@prosa/contracts/values/instant'
import { transaction } from '@prosa/kernel/postgres/pool'
import type { Pool, PoolClient } from 'pg'

export interface Bounds {
  connections: number
  linking: number
}

export interface Reservation {
  connectionId: string
  tenant: string
  now: Instant
  until: Instant
}

interface Usage {
  is_known: boolean | null
  others: number
  linking: number
  first_end: Date | null
}

export type Full = { full: 'connections' } | { full: 'linking'; freeAt: Date }

/** undefined when the connection may be linked. */
const findFull = async (
  database: Pool | PoolClient,
  { connectionId, tenant, now, until }: Reservation,
  bounds: Bounds,
): Promise<Full | undefined> => {
  const { rows } = await database.query<Usage>(
    `select bool_or(connection_id = $2) as is_known,
       count(*) filter (where connection_id <> $2)::int as others,
       count(*) filter (where connection_id <> $2 and ends > $3)::int as linking,
       min(ends) filter (where connection_id <> $2 and ends > $3) as first_end
     from (
       select connection_id, greatest(linking_until, reserved_until) as ends from connection_place
       where owner = $1 and (position <> '' or reserved_until > $3)
     ) place`,
    [tenant, connectionId, now],
  )
  const [usage] = rows
  if (!usage) throw new Error('a count must return one row')
  if (!usage.is_known && usage.others >= bounds.connections) return { full: 'connections' }
  if (usage.linking >= bounds.linking) return { full: 'linking', freeAt: usage.first_end ?? new Date(until) }
  return undefined
}

/** Returns the exhausted limit, if any. The tenant's lock comes first, so that the count sees earlier reservations of any process. */
export const reserveSlot = async (pool: Pool, reservation: Reservation, bounds: Bounds): Promise<Full | undefined> => {
  const { connectionId, tenant, now, until } = reservation
  // Without a lock first: a flood consists of refusals.
  const full = await findFull(pool, reservation, bounds)
  if (full) return full
  return transaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('connection places ' || $1, 0))`, [tenant])
    await client.query(`delete from connection_place where owner = $1 and position = '' and reserved_until <= $2`, [
      tenant,
      now,
    ])
    const nowFull = await findFull(client, reservation, bounds)
    if (nowFull) return nowFull
    await client.query(
      `insert into connection_place (connection_id, owner, reserved_until) values ($1, $2, $3)
       on conflict (connection_id) do update set reserved_until = excluded.reserved_until`,
      [connectionId, tenant, until],
    )
    return undefined
  })
}

export interface Slot {
  connectionId: string
  tenant: string
  linkingUntil: Instant | null
  position: string
}

/** Ignored when a later position is stored. */
export const saveSlot = async (pool: Pool, { connectionId, tenant, linkingUntil, position }: Slot): Promise<void> => {
  await pool.query(
    `insert into connection_place (connection_id, owner, linking_until, position) values ($1, $2, $3, $4)
     on conflict (connection_id) do update set linking_until = excluded.linking_until, position = excluded.position
       where connection_place.position < excluded.position`,
    [connectionId, tenant, linkingUntil, position],
  )
}

/** Does not restore a removed connection. */
export const updateSlot = async (
  pool: Pool,
  { connectionId, linkingUntil, position }: Omit<Slot, 'tenant'>,
): Promise<void> => {
  await pool.query(
    `update connection_place set linking_until = $2, position = $3 where connection_id = $1 and position < $3`,
    [connectionId, linkingUntil, position],
  )
}

export const endReservation = async (pool: Pool, connectionId: string): Promise<void> => {
  await pool.query(
    `with unused as (delete from connection_place where connection_id = $1 and position = '')
     update connection_place set reserved_until = null where connection_id = $1 and position <> ''`,
    [connectionId],
  )
}

export const deleteSlot = async (pool: Pool, connectionId: string): Promise<void> => {
  await pool.query('delete from connection_place where connection_id = $1', [connectionId])
}
