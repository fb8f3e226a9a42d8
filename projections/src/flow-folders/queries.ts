import type { FlowFolder } from '@prosa/contracts/http/flows'
import type { Pool } from 'pg'

/** By name, ignoring case and accents. */
export const findFlowFolders = async (pool: Pool, tenant: string): Promise<FlowFolder[]> => {
  const { rows } = await pool.query<FlowFolder>({
    name: 'flow folders of tenant',
    text: `select id, name, description, coalesce(inside.count, 0) as "flowCount",
                  created_at as "createdAt", updated_at as "updatedAt"
           from flow_folder
           left join (
             select folder_id, count(*)::int as count from flow where owner = $1 group by folder_id
           ) as inside on inside.folder_id = id
           where owner = $1 order by sort_name, id`,
    values: [tenant],
  })
  return rows
}
