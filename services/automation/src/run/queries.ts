import type { Instant } from '@prosa/contracts/values/instant'
import { prepared } from '@prosa/kernel/consumers/projections/table'
import type { Ports } from '@prosa/kernel/ports'
import { listRecords } from '@prosa/product/what-if/list-records'

type Pool = Ports['pool']

export interface FlowOn {
  flowId: string
  isOn: boolean
}

/** Sorted by first publication. */
export const findFlowsOn = async (pool: Pool, tenant: string): Promise<FlowOn[]> => {
  const { rows } = await pool.query<FlowOn>({
    ...prepared(`select flow_id as "flowId", is_on as "isOn" from flow_on where owner = $1 order by published_at`),
    values: [tenant],
  })
  return rows
}

export interface RunContact {
  runId: string
  contactId: string
  tenant: string
  flowId: string
}

const columns = 'run_id as "runId", contact_id as "contactId", owner as tenant, flow_id as "flowId"'

export const findRunContact = async (pool: Pool, tenant: string, runId: string): Promise<RunContact | undefined> => {
  const { rows } = await pool.query<RunContact>(
    `select ${columns} from flow_run_place where owner = $1 and run_id = $2`,
    [tenant, runId],
  )
  return rows[0]
}

export const findContactsInFlow = async (pool: Pool, flowId: string): Promise<RunContact[]> => {
  const { rows } = await pool.query<RunContact>(
    `select ${columns} from flow_run_place where flow_id = $1 and not is_over`,
    [flowId],
  )
  return rows
}

export const findContactsOnConnection = async (pool: Pool, connectionId: string): Promise<RunContact[]> => {
  const { rows } = await pool.query<RunContact>(
    `select ${columns} from flow_run_place where connection_id = $1 and not is_over`,
    [connectionId],
  )
  return rows
}

interface RunsAsked {
  tenant: string
  flowId: string
  contactId: string
  from: Instant
  /** Exclusive. */
  until: Instant
  max: number
}

/** Of a flow with a contact, latest first, without runs that another went on into. */
export const findRunsBetween = async (
  pool: Pool,
  { tenant, flowId, contactId, from, until, max }: RunsAsked,
): Promise<string[]> => {
  const { rows } = await pool.query<{ runId: string }>({
    name: 'runs of a flow with a contact',
    text: `select run_id as "runId" from flow_run_place
           where owner = $1 and flow_id = $2 and contact_id = $3 and started_at >= $4 and started_at < $5 and not is_sequel
           order by started_at desc, run_id limit $6`,
    values: [tenant, flowId, contactId, from, until, max],
  })
  return rows.map(({ runId }) => runId)
}

export const listFlowContacts = (pool: Pool, tenant: string, after: string, limit: number) =>
  listRecords(pool, { table: 'flow_contact', id: 'contact_id', tenant }, after, limit)
