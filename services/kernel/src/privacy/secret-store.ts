import type { Pool } from 'pg'
import type { SecretBox } from './secret-box.ts'

/** For secrets that are no facts (password hashes, QR images): encrypted, outside the log. */
export interface SecretStore {
  put(kind: string, id: string, value: string, expiresAt?: string): Promise<void>
  /** Returns false if one exists. */
  putIfAbsent(kind: string, id: string, value: string): Promise<boolean>
  get(kind: string, id: string): Promise<string | undefined>
  getMany(kind: string, ids: readonly string[]): Promise<Map<string, string>>
  delete(kind: string, id: string): Promise<void>
}

export const secretStore = (pool: Pool, box: SecretBox): SecretStore => {
  const context = (kind: string, id: string) => `secret ${kind} ${id}`
  const encrypted = (kind: string, id: string, value: string) => box.encrypt(Buffer.from(value), context(kind, id))
  const getMany = async (kind: string, ids: readonly string[]) => {
    if (ids.length === 0) return new Map<string, string>()
    const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
      'select id, sealed from secret where kind = $1 and id = any($2) and (expires_at is null or expires_at > now())',
      [kind, ids],
    )
    return new Map(rows.map(({ id, sealed }) => [id, box.decrypt(sealed, context(kind, id)).toString()]))
  }
  return {
    async put(kind, id, value, expiresAt) {
      await pool.query(
        `insert into secret (kind, id, sealed, expires_at) values ($1, $2, $3, $4)
         on conflict (kind, id) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`,
        [kind, id, encrypted(kind, id, value), expiresAt ?? null],
      )
    },
    async putIfAbsent(kind, id, value) {
      const { rowCount } = await pool.query(
        'insert into secret (kind, id, sealed) values ($1, $2, $3) on conflict do nothing',
        [kind, id, encrypted(kind, id, value)],
      )
      return rowCount === 1
    },
    getMany,
    get: async (kind, id) => (await getMany(kind, [id])).get(id),
    async delete(kind, id) {
      await pool.query('delete from secret where kind = $1 and id = $2', [kind, id])
    },
  }
}
