import type { Pool } from 'pg'

type Kind = 'flow' | 'folder'

export const countFlowIds = async (pool: Pool, tenant: string, kind: Kind): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count flow places',
    text: 'select count(*)::int as count from flow_place where owner = $1 and kind = $2',
    values: [tenant, kind],
  })
  return rows[0]?.count ?? 0
}

export const findFlowIds = async (pool: Pool, tenant: string, kind: Kind): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'flow places of tenant',
    text: 'select id from flow_place where owner = $1 and kind = $2 order by id',
    values: [tenant, kind],
  })
  return rows.map(({ id }) => id)
}

export const findFlowsIn = async (pool: Pool, tenant: string, folderId: string): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'flows in folder',
    text: `select id from flow_place where owner = $1 and kind = 'flow' and folder_id = $2 order by id`,
    values: [tenant, folderId],
  })
  return rows.map(({ id }) => id)
}
