import type { Label } from '@prosa/contracts/http/labels'
import type { Pool } from 'pg'

/** By name, ignoring case and accents. */
export const findLabels = async (pool: Pool, tenant: string): Promise<Label[]> => {
  const { rows } = await pool.query<Label>({
    name: 'labels of tenant',
    text: 'select id, name, colour from label where owner = $1 order by sort_name, id',
    values: [tenant],
  })
  return rows
}

/** Existing ones, by name. */
export const findExistingLabels = async (pool: Pool, tenant: string, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'standing labels',
    text: 'select id from label where id = any($1) and owner = $2 order by sort_name, id',
    values: [ids, tenant],
  })
  return rows.map(({ id }) => id)
}
