import type { Pool } from 'pg'

export const findDefaultFlow = async (pool: Pool, tenant: string): Promise<string | null> => {
  const { rows } = await pool.query<{ flowId: string }>({
    name: 'default flow',
    text: 'select flow_id as "flowId" from default_flow where owner = $1',
    values: [tenant],
  })
  return rows[0]?.flowId ?? null
}
