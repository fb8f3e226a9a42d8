import type { Pool } from 'pg'

export interface SealedKey {
  type: string
  fingerprint: Buffer
  /** null deletes the key. */
  sealed: Buffer | null
}

/** Ids of all connections that hold credentials or are about to get some. */
export const connectionsWithCredentials = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ connection_id: string }>('select connection_id from whatsapp_credentials')
  return rows.map(({ connection_id }) => connection_id)
}

/** Makes room for credentials of this generation; those of another are deleted with their keys. */
export const reserveCredentials = async (pool: Pool, connectionId: string, generation: number): Promise<void> => {
  await pool.query(
    `with stale as (
       delete from whatsapp_key k using whatsapp_credentials c
       where c.connection_id = $1 and k.connection_id = $1 and c.generation <> $2
     )
     insert into whatsapp_credentials as c (connection_id, generation) values ($1, $2)
     on conflict (connection_id) do update set generation = excluded.generation, sealed = null
     where c.generation <> excluded.generation`,
    [connectionId, generation],
  )
}

export const readCredentials = async (
  pool: Pool,
  connectionId: string,
  generation: number,
): Promise<Buffer | undefined> => {
  const { rows } = await pool.query<{ sealed: Buffer | null }>(
    'select sealed from whatsapp_credentials where connection_id = $1 and generation = $2',
    [connectionId, generation],
  )
  return rows[0]?.sealed ?? undefined
}

/** Starts a device from nothing: new credentials, and no key of an earlier try. */
export const replaceCredentials = async (
  pool: Pool,
  connectionId: string,
  generation: number,
  sealed: Buffer,
): Promise<void> => {
  await pool.query(
    `with stale as (delete from whatsapp_key where connection_id = $1)
     insert into whatsapp_credentials (connection_id, generation, sealed) values ($1, $2, $3)
     on conflict (connection_id) do update set generation = excluded.generation, sealed = excluded.sealed`,
    [connectionId, generation, sealed],
  )
}

/** Changes nothing when the credentials have been given up meanwhile. */
export const updateCredentials = async (
  pool: Pool,
  connectionId: string,
  generation: number,
  sealed: Buffer,
): Promise<void> => {
  await pool.query('update whatsapp_credentials set sealed = $3 where connection_id = $1 and generation = $2', [
    connectionId,
    generation,
    sealed,
  ])
}

/** Deletes with all keys, unless a newer generation has taken the place. */
export const deleteCredentials = async (pool: Pool, connectionId: string, upTo: number): Promise<void> => {
  await pool.query('delete from whatsapp_credentials where connection_id = $1 and generation <= $2', [
    connectionId,
    upTo,
  ])
}

export const readKeys = async (
  pool: Pool,
  connectionId: string,
  type: string,
  fingerprints: readonly Buffer[],
): Promise<{ fingerprint: Buffer; sealed: Buffer }[]> => {
  const { rows } = await pool.query<{ fingerprint: Buffer; sealed: Buffer }>(
    `select id_fingerprint as fingerprint, sealed from whatsapp_key
     where connection_id = $1 and type = $2 and id_fingerprint = any($3)`,
    [connectionId, type, fingerprints],
  )
  return rows
}

/** Writes and deletes all keys in one statement: all of them or none. Nothing is written for a generation that is past. */
export const writeKeys = async (
  pool: Pool,
  connectionId: string,
  generation: number,
  keys: readonly SealedKey[],
): Promise<void> => {
  await pool.query(
    `with change as (
       select c.type, c.fingerprint, c.sealed
       from unnest($3::text[], $4::bytea[], $5::bytea[]) c (type, fingerprint, sealed)
       where exists (select from whatsapp_credentials where connection_id = $1 and generation = $2)
     ), gone as (
       delete from whatsapp_key k using change c
       where k.connection_id = $1 and k.type = c.type and k.id_fingerprint = c.fingerprint and c.sealed is null
     )
     insert into whatsapp_key (connection_id, type, id_fingerprint, sealed)
     select $1, type, fingerprint, sealed from change where sealed is not null
     on conflict (connection_id, type, id_fingerprint) do update set sealed = excluded.sealed`,
    [
      connectionId,
      generation,
      keys.map(({ type }) => type),
      keys.map(({ fingerprint }) => fingerprint),
      keys.map(({ sealed }) => sealed),
    ],
  )
}
