import type { Pool } from 'pg'
import { leaseIsHeld } from '../../leases/table.ts'

export interface EncryptedKey {
  type: string
  fingerprint: Buffer
  /** null deletes the key. */
  encrypted: Buffer | null
}

/** `token` is that of the lease. */
export interface CredentialsHolder {
  connectionId: string
  generation: number
  token: string
}

interface Fenced {
  held: boolean
}

export const readCredentials = async (
  pool: Pool,
  connectionId: string,
  generation: number,
): Promise<Buffer | undefined> => {
  const { rows } = await pool.query<{ encrypted: Buffer | null }>(
    'select sealed as encrypted from whatsapp_credentials where connection_id = $1 and generation = $2',
    [connectionId, generation],
  )
  return rows[0]?.encrypted ?? undefined
}

/** Deletes old keys. False when the lease is another's. */
export const replaceCredentials = async (
  pool: Pool,
  { connectionId, generation, token }: CredentialsHolder,
  encrypted: Buffer,
): Promise<boolean> => {
  const { rows } = await pool.query<Fenced>(
    `with lease as (${leaseIsHeld('$4')}),
     stale as (delete from whatsapp_key where connection_id = $1 and exists (select from lease)),
     made as (
       insert into whatsapp_credentials (connection_id, generation, sealed) select $1, $2, $3 from lease
       on conflict (connection_id) do update set generation = excluded.generation, sealed = excluded.sealed
     )
     select exists (select from lease) as held`,
    [connectionId, generation, encrypted, token],
  )
  return rows[0]?.held === true
}

/** False when the lease is another's. */
export const updateCredentials = async (
  pool: Pool,
  { connectionId, generation, token }: CredentialsHolder,
  encrypted: Buffer,
): Promise<boolean> => {
  const { rows } = await pool.query<Fenced>(
    `with lease as (${leaseIsHeld('$4')}),
     changed as (
       update whatsapp_credentials set sealed = $3
       where connection_id = $1 and generation = $2 and exists (select from lease)
     )
     select exists (select from lease) as held`,
    [connectionId, generation, encrypted, token],
  )
  return rows[0]?.held === true
}

/** Not when there is a newer generation or the lease is another's. */
export const deleteCredentials = async (
  pool: Pool,
  { connectionId, generation, token }: CredentialsHolder,
): Promise<void> => {
  await pool.query(
    `with lease as (${leaseIsHeld('$3')})
     delete from whatsapp_credentials where connection_id = $1 and generation <= $2 and exists (select from lease)`,
    [connectionId, generation, token],
  )
}

export const readKeys = async (
  pool: Pool,
  connectionId: string,
  type: string,
  fingerprints: readonly Buffer[],
): Promise<{ fingerprint: Buffer; encrypted: Buffer }[]> => {
  const { rows } = await pool.query<{ fingerprint: Buffer; encrypted: Buffer }>(
    `select id_fingerprint as fingerprint, sealed as encrypted from whatsapp_key
     where connection_id = $1 and type = $2 and id_fingerprint = any($3)`,
    [connectionId, type, fingerprints],
  )
  return rows
}

export interface KeyWrite {
  holder: CredentialsHolder
  keys: readonly EncryptedKey[]
}

/** All or none of each connection's keys. Returns the connections whose lease is held. Leases are locked in the common order. */
export const writeKeys = async (pool: Pool, writes: readonly KeyWrite[]): Promise<Set<string>> => {
  const changes = writes.flatMap(({ holder: { connectionId }, keys }) => keys.map((key) => ({ connectionId, ...key })))
  const { rows } = await pool.query<{ connectionId: string }>({
    // Named: planned once a database connection, as every message writes keys.
    name: 'whatsapp keys write',
    text: `with lease as (
       select l.connection_id, w.generation
       from unnest($1::uuid[], $2::int[], $3::bigint[]) w (connection_id, generation, token)
       join connection_lease l on l.connection_id = w.connection_id and l.token = w.token
       order by l.connection_id for share of l
     ),
     change as (
       select c.connection_id, c.type, c.fingerprint, c.sealed
       from unnest($4::uuid[], $5::text[], $6::bytea[], $7::bytea[]) c (connection_id, type, fingerprint, sealed)
       join lease on lease.connection_id = c.connection_id
       join whatsapp_credentials w on w.connection_id = c.connection_id and w.generation = lease.generation
     ),
     gone as (
       delete from whatsapp_key k using change c
       where k.connection_id = c.connection_id and k.type = c.type and k.id_fingerprint = c.fingerprint
         and c.sealed is null
     ),
     written as (
       insert into whatsapp_key (connection_id, type, id_fingerprint, sealed)
       select connection_id, type, fingerprint, sealed from change where sealed is not null
       on conflict (connection_id, type, id_fingerprint) do update set sealed = excluded.sealed
     )
     select connection_id as "connectionId" from lease`,
    values: [
      writes.map(({ holder }) => holder.connectionId),
      writes.map(({ holder }) => holder.generation),
      writes.map(({ holder }) => holder.token),
      changes.map(({ connectionId }) => connectionId),
      changes.map(({ type }) => type),
      changes.map(({ fingerprint }) => fingerprint),
      changes.map(({ encrypted }) => encrypted),
    ],
  })
  return new Set(rows.map(({ connectionId }) => connectionId))
}
