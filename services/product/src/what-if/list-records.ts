import type { Pool } from 'pg'
import type { Listed } from './walk-part.ts'

interface RecordTable {
  /** With an index on `id`, or on the tenant and it. */
  table: string
  id: string
  /** Undefined: of all. */
  tenant: string | undefined
}

/** Those after the id, in order of ids; at most `limit`. */
export const listRecords = async (
  pool: Pool,
  { table, id, tenant }: RecordTable,
  after: string,
  limit: number,
): Promise<Listed> => {
  const own = tenant === undefined ? 'true' : 'owner = $3'
  const { rows } = await pool.query<Listed>({
    name: `${table} after an id`,
    text: `select array(select ${id} from ${table} where ${own} and ${id} > $1 order by ${id} limit $2) as ids,
                  count(*) filter (where ${id} <= $1)::int as done, count(*)::int as total
           from ${table} where ${own}`,
    values: tenant === undefined ? [after, limit] : [after, limit, tenant],
  })
  return rows[0] ?? { ids: [], done: 0, total: 0 }
}
