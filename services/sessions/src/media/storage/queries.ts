import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { Pool, PoolClient } from 'pg'
import { type Charge, dayMs, type Usage } from './storage-quota.ts'

/** Locks the tenant's quota until the transaction ends. */
export const lockStoredBytes = async (client: PoolClient, tenant: string): Promise<number> => {
  const { rows } = await client.query<{ bytes: number }>(
    `insert into kept_files as kept (owner) values ($1) on conflict (owner) do update set bytes = kept.bytes
     returning bytes::float8 as bytes`,
    [tenant],
  )
  return rows[0]?.bytes ?? 0
}

export const readIncoming = async (
  client: PoolClient,
  tenant: string,
  except: string,
  now: Instant,
): Promise<Omit<Usage, 'storedBytes'>> => {
  const { rows } = await client.query<Omit<Usage, 'storedBytes'>>(
    `select coalesce(sum(bytes) filter (where held_until is not null), 0)::float8 as "reservedBytes",
       coalesce(sum(bytes) filter (where is_upload), 0)::float8 as "uploadedBytes",
       (count(*) filter (where is_upload))::int as "uploadedFiles"
     from incoming_file
     where owner = $1 and id <> $2 and began_at > $3 and (held_until is null or held_until > $4)`,
    [tenant, except, later(now, -dayMs), now],
  )
  return rows[0] ?? { reservedBytes: 0, uploadedBytes: 0, uploadedFiles: 0 }
}

export interface Reservation {
  id: string
  tenant: string
  isUpload: boolean
  bytes: number
  reservedUntil: Instant
}

export const addReservation = async (client: PoolClient, reservation: Reservation, now: Instant): Promise<void> => {
  const { id, tenant, isUpload, bytes, reservedUntil } = reservation
  await client.query(
    `insert into incoming_file (id, owner, is_upload, began_at, bytes, held_until) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set began_at = $4, bytes = $5, held_until = $6`,
    [id, tenant, isUpload, now, bytes, reservedUntil],
  )
}

/** The last 24 hours. */
export const readCharges = async (pool: Pool, tenant: string, now: Instant): Promise<Charge[]> => {
  const { rows } = await pool.query<{ began_at: Date; bytes: number }>(
    `select began_at, bytes::float8 as bytes from incoming_file
     where owner = $1 and is_upload and began_at > $2 and (held_until is null or held_until > $3)`,
    [tenant, later(now, -dayMs), now],
  )
  return rows.map(({ began_at, bytes }) => ({ beganAt: began_at.toISOString(), bytes }))
}

/** `sent` bytes were received. */
export const recordUpload = async (pool: Pool, id: string, stored: number, sent: number): Promise<void> => {
  await pool.query(
    `with stored as (update media_file set bytes = $2 where id = $1)
     update incoming_file set bytes = $3, held_until = null where id = $1`,
    [id, stored, sent],
  )
}

export const endUpload = async (pool: Pool, id: string, sent: number): Promise<void> => {
  await pool.query('update incoming_file set bytes = $2, held_until = null where id = $1', [id, sent])
}

export const releaseReceived = async (pool: Pool, id: string): Promise<void> => {
  await pool.query('delete from incoming_file where id = $1 and not is_upload', [id])
}

export const deleteOldIncoming = async (pool: Pool, now: Instant): Promise<void> => {
  await pool.query('delete from incoming_file where began_at <= $1', [later(now, -dayMs)])
  await pool.query('delete from kept_files where bytes = 0')
}

export const uncounted = async (
  pool: Pool,
  after: string,
  limit: number,
): Promise<{ id: string; tenant: string }[]> => {
  const { rows } = await pool.query<{ id: string; tenant: string }>(
    `select id, owner as tenant from media_file
     where bytes is null and state in ('uploaded', 'given', 'settled') and id > $1 order by id limit $2`,
    [after, limit],
  )
  return rows
}

export const countFile = async (pool: Pool, id: string, bytes: number): Promise<void> => {
  await pool.query(
    `update media_file set bytes = $2 where id = $1 and bytes is null and state in ('uploaded', 'given', 'settled')`,
    [id, bytes],
  )
}
