import type { Pool } from 'pg'

/** Not removed. */
export const findConnectionsOf = async (pool: Pool, tenant: string): Promise<string[]> => {
  const { rows } = await pool.query<{ connection_id: string }>(
    'select connection_id from connection_name where owner = $1 order by position',
    [tenant],
  )
  return rows.map(({ connection_id }) => connection_id)
}

export const oldestOfName = async (pool: Pool, tenant: string, fingerprint: string): Promise<string | undefined> => {
  const { rows } = await pool.query<{ connection_id: string }>(
    `select connection_id from connection_name where owner = $1 and name_fingerprint = $2 order by position limit 1`,
    [tenant, fingerprint],
  )
  return rows[0]?.connection_id
}
