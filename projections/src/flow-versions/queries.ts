import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowVersion } from '@prosa/contracts/http/flows'
import type { Pool } from 'pg'

const listed = `v.version, v.published_at as "publishedAt", v.added, v.removed, v.changed,
                nullif(trim(a.first_name || ' ' || a.last_name), '') as "publishedBy"`

/** Latest first. */
export const findFlowVersions = async (pool: Pool, tenant: string, flowId: string): Promise<FlowVersion[]> => {
  const { rows } = await pool.query<FlowVersion>({
    name: 'versions of flow',
    text: `select ${listed} from flow_version v left join account a on a.id = v.publisher_id
           where v.flow_id = $1 and v.owner = $2 order by v.version desc`,
    values: [flowId, tenant],
  })
  return rows
}

export const findFlowVersion = async (
  pool: Pool,
  tenant: string,
  flowId: string,
  version: number,
): Promise<(FlowVersion & { document: FlowDocument }) | undefined> => {
  const { rows } = await pool.query<FlowVersion & { document: FlowDocument }>({
    name: 'version of flow',
    text: `select ${listed}, v.document from flow_version v left join account a on a.id = v.publisher_id
           where v.flow_id = $1 and v.owner = $2 and v.version = $3`,
    values: [flowId, tenant, version],
  })
  return rows[0]
}
