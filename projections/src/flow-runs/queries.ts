import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import type { Pool } from 'pg'
import type { FlowRunRow } from './table.ts'

const columns = `
  r.id, r.flow_id as "flowId", r.version, coalesce(s.id, r.contact_id) as "contactId", coalesce(s.name, c.name) as "contactName",
  r.started_at as "startedAt", r.ended_at as "endedAt", r.reason, r.node_id as "nodeId", r.until`

/** Joins the survivor of a merge. */
const from = `
  from flow_run r
  left join contact_list c on c.id = r.contact_id and c.owner = r.owner
  left join contact_list s on s.id = c.absorbed_into and s.owner = r.owner`

export type FoundRun = FlowRun & Pick<FlowRunRow, 'place'>

/** Latest first; `before` is a position. */
export const findFlowRuns = async (
  pool: Pool,
  { tenant, flowId, before, limit }: { tenant: string; flowId: string; before: string | undefined; limit: number },
): Promise<FoundRun[]> => {
  const { rows } = await pool.query<FoundRun>({
    name: 'runs of flow',
    text: `select ${columns}, r.place ${from}
           where r.owner = $1 and r.flow_id = $2 and ($3::text is null or r.place < $3 collate "C")
           order by r.place desc limit $4`,
    values: [tenant, flowId, before ?? null, limit],
  })
  return rows
}

export type RunWithParts = FlowRun & Pick<FlowRunRow, 'startedBy' | 'parts'>

export const findFlowRun = async (pool: Pool, tenant: string, id: string): Promise<RunWithParts | undefined> => {
  const { rows } = await pool.query<RunWithParts>({
    name: 'run of flow',
    text: `select ${columns}, r.started_by as "startedBy", r.parts ${from} where r.id = $2 and r.owner = $1`,
    values: [tenant, id],
  })
  return rows[0]
}
