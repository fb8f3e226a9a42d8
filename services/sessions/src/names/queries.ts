import type { Pool } from 'pg'

interface NameRow {
  connectionId: string
  owner: string
  fingerprint: string
  position: string
}

export const insertName = async (
  pool: Pool,
  { connectionId, owner, fingerprint, position }: NameRow,
): Promise<void> => {
  await pool.query(
    `insert into connection_name (connection_id, owner, name_fingerprint, position) values ($1, $2, $3, $4)
     on conflict (connection_id) do nothing`,
    [connectionId, owner, fingerprint, position],
  )
}

export const deleteName = async (pool: Pool, connectionId: string): Promise<void> => {
  await pool.query('delete from connection_name where connection_id = $1', [connectionId])
}

export const oldestOfName = async (pool: Pool, owner: string, fingerprint: string): Promise<string | undefined> => {
  const { rows } = await pool.query<{ connection_id: string }>(
    `select connection_id from connection_name where owner = $1 and name_fingerprint = $2 order by position limit 1`,
    [owner, fingerprint],
  )
  return rows[0]?.connection_id
}
