import type { FlowNodeStatistics, FlowStatistics, FlowSummary } from '@prosa/contracts/http/flow-runs'
import type { Pool } from 'pg'

/** Conversions; continuing in another flow is one too. */
const converting = `('completed', 'handed_over', 'went_on')`

const noRuns: FlowSummary = { executions: 0, running: 0, leads: 0, converted: 0, lastRunAt: null }

/** Merged contacts are one lead. */
const summariesText = `
  select r.flow_id as "flowId", count(*)::int as executions,
         count(*) filter (where r.ended_at is null)::int as running,
         count(distinct coalesce(c.absorbed_into, r.contact_id))::int as leads,
         count(distinct coalesce(c.absorbed_into, r.contact_id)) filter (where r.reason in ${converting})::int as converted,
         max(r.started_at) as "lastRunAt"
  from flow_run r left join contact_list c on c.id = r.contact_id and c.owner = r.owner
  where r.owner = $1 and ($2::text is null or r.flow_id = $2)
  group by r.flow_id order by r.flow_id`

export const findFlowSummaries = async (pool: Pool, tenant: string): Promise<(FlowSummary & { flowId: string })[]> => {
  const { rows } = await pool.query({ name: 'flow summaries', text: summariesText, values: [tenant, null] })
  return rows
}

const countedText = `
  select node_id as "nodeId",
         sum(left_by_true)::int as "true", sum(left_by_false)::int as "false", sum(left_by_answer)::int as answer,
         sum(left_by_timeout)::int as timeout, (sum(left_by_next) filter (where output is null))::int as next,
         count(*) filter (where status in ('sent', 'delivered', 'read'))::int as sent,
         count(*) filter (where status in ('delivered', 'read'))::int as delivered,
         count(*) filter (where status = 'read')::int as read,
         count(*) filter (where is_clicked)::int as clicked
  from flow_statistic where owner = $1 and flow_id = $2 group by node_id`

const menuOutputsText = `
  select node_id as "nodeId", output, sum(left_by_next)::int as count
  from flow_statistic where owner = $1 and flow_id = $2 and output is not null group by node_id, output`

const waitingText = `
  select node_id as "nodeId", count(*) filter (where not is_left)::int as arrived,
         count(*) filter (where reason not in ${converting})::int as "droppedOff"
  from flow_run where owner = $1 and flow_id = $2 and node_id is not null group by node_id`

/** Keys are 'link <run> <node>'. */
const clickedText = `
  select count(distinct split_part(key, ' ', 2))::int as "clickedExecutions"
  from flow_statistic where owner = $1 and flow_id = $2 and is_clicked`

type Outputs = Record<'true' | 'false' | 'answer' | 'timeout' | 'next', number>
type Counted = Outputs & Pick<FlowNodeStatistics, 'nodeId' | 'sent' | 'delivered' | 'read' | 'clicked'>

const outputNames = ['true', 'false', 'answer', 'timeout', 'next'] as const

const nodeOf = (
  nodeId: string,
  counted: Partial<Counted> = {},
  waiting = { arrived: 0, droppedOff: 0 },
  outputs: Record<string, number> = {},
) => {
  const { sent = 0, delivered = 0, read = 0, clicked = 0 } = counted
  for (const name of outputNames) if (counted[name]) outputs[name] = counted[name]
  const left = Object.values(outputs).reduce((total, each) => total + each, 0)
  const { arrived, droppedOff } = waiting
  return { nodeId, entered: left + arrived, sent, delivered, read, clicked, droppedOff, outputs }
}

/** Over all versions. */
export const findFlowStatistics = async (pool: Pool, tenant: string, flowId: string): Promise<FlowStatistics> => {
  const values = [tenant, flowId]
  const [summaries, counted, menus, waiting, clicked] = await Promise.all([
    pool.query<FlowSummary & { flowId: string }>({ name: 'flow summaries', text: summariesText, values }),
    pool.query<Counted>({ name: 'flow nodes counted', text: countedText, values }),
    pool.query<{ nodeId: string; output: string; count: number }>({
      name: 'flow menus counted',
      text: menuOutputsText,
      values,
    }),
    pool.query<{ nodeId: string; arrived: number; droppedOff: number }>({
      name: 'flow nodes waiting',
      text: waitingText,
      values,
    }),
    pool.query<{ clickedExecutions: number }>({ name: 'flow runs clicked', text: clickedText, values }),
  ])
  const countedBy = new Map(counted.rows.map((row) => [row.nodeId, row]))
  const outputsOf = (nodeId: string) =>
    Object.fromEntries(menus.rows.flatMap((row) => (row.nodeId === nodeId ? [[row.output, row.count]] : [])))
  const waitingBy = new Map(waiting.rows.map((row) => [row.nodeId, row]))
  const nodeIds = [...new Set([...countedBy.keys(), ...waitingBy.keys()])].sort()
  const { flowId: _, ...summary } = summaries.rows[0] ?? { flowId, ...noRuns }
  const { clickedExecutions = 0 } = clicked.rows[0] ?? {}
  return {
    ...summary,
    clickedExecutions,
    nodes: nodeIds.map((id) => nodeOf(id, countedBy.get(id), waitingBy.get(id), outputsOf(id))),
  }
}
