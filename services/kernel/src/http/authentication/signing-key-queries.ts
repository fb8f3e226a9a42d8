import type { JWK } from 'jose'
import type { Pool, PoolClient } from 'pg'

export interface StoredKey {
  kid: string
  publicJwk: JWK
  encrypted: Buffer
  signsFrom: Date
}

const lock = 724_065

/** One process at a time makes keys. */
export const holdSigningKeys = async (db: PoolClient): Promise<void> => {
  await db.query('select pg_advisory_xact_lock($1)', [lock])
}

/** Newest first. */
export const readSigningKeys = async (db: PoolClient): Promise<StoredKey[]> => {
  const { rows } = await db.query<StoredKey>(
    `select kid, public_jwk as "publicJwk", encrypted, signs_from as "signsFrom" from signing_key order by signs_from desc`,
  )
  return rows
}

export const addSigningKey = async (
  db: PoolClient,
  { kid, publicJwk, encrypted, signsFrom }: StoredKey,
): Promise<void> => {
  await db.query('insert into signing_key (kid, public_jwk, encrypted, signs_from) values ($1, $2, $3, $4)', [
    kid,
    JSON.stringify(publicJwk),
    encrypted,
    signsFrom,
  ])
}

export const deleteSigningKeys = async (pool: Pool, kids: readonly string[]): Promise<void> => {
  await pool.query('delete from signing_key where kid = any($1)', [kids])
}
