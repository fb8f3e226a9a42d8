import type { Pool, PoolClient } from 'pg'

export interface EffectClaim {
  claimant: string
  isMade: boolean
}

/** Returns the existing claim if there is one. */
export const claimEffect = async (pool: Pool, id: string, claimant: string): Promise<EffectClaim> => {
  const { rowCount } = await pool.query(
    'insert into effect_once (id, claimant) values ($1, $2) on conflict (id) do nothing',
    [id, claimant],
  )
  if (rowCount) return { claimant, isMade: false }
  const { rows } = await pool.query<EffectClaim>(
    'select claimant, made_at is not null as "isMade" from effect_once where id = $1',
    [id],
  )
  // Released between the two statements: the caller retries.
  if (!rows[0]) throw new Error('the claim of an effect vanished')
  return rows[0]
}

export const markEffectMade = async (pool: Pool, id: string): Promise<void> => {
  await pool.query('update effect_once set made_at = now() where id = $1 and made_at is null', [id])
}

/** Keeps effects that were made. */
export const forgetClaim = async (db: Pool | PoolClient, id: string): Promise<void> => {
  await db.query('delete from effect_once where id = $1 and made_at is null', [id])
}
