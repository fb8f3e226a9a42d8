import { openPool } from '../../postgres/pool.ts'

/** Whether the database has a log of its own that is not empty. */
export const hasEvents = async (databaseUrl: string): Promise<boolean> => {
  const pool = openPool(databaseUrl, { max: 1 })
  try {
    const table = await pool.query<{ exists: boolean }>("select to_regclass('es.event') is not null as exists")
    if (!table.rows[0]?.exists) return false
    const { rows } = await pool.query('select 1 from es.event limit 1')
    return rows.length > 0
  } finally {
    await pool.end()
  }
}
