import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { prepared, type Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { readRun } from '../flow-run-state.ts'

/** What waits for a reply: ids and times. */
export interface FlowRequestRow {
  runId: string
  tenant: string
  contactId: string
  flowId: string
  version: number
  nodeId: string
  step: number
  askedAt: string
  eventId: string
  correlationId: string
}

const flowRequestTable: Table<FlowRequestRow> = {
  name: 'flow_request',
  key: 'runId',
  columns: {
    runId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    contactId: 'text collate "C" not null',
    flowId: 'text not null',
    version: 'int not null',
    nodeId: 'text not null',
    step: 'int not null',
    askedAt: 'text collate "C" not null',
    eventId: 'text not null',
    correlationId: 'text not null',
  },
  after: [
    'create index flow_request_contact on flow_request (contact_id)',
    'create index flow_request_owner on flow_request (owner, asked_at)',
  ],
}

const key = ({ data }: { data: { runId: string } }) => data.runId
const contactOf = ({ stream }: Stored) => parseStream(stream).id
const gone = { key, row: () => undefined }

const rowOf = (
  event: Stored & { data: { runId: string; flowId: string; version: number } },
  { nodeId, step }: { nodeId: string; step: number },
): FlowRequestRow | undefined => {
  const { tenant, recordedAt, correlationId } = event.metadata
  if (tenant === null) return undefined
  const { runId, flowId, version } = event.data
  return {
    ...{ runId, tenant, contactId: contactOf(event), flowId, version, nodeId, step, correlationId },
    ...{ askedAt: recordedAt, eventId: event.id },
  }
}

/** A run waits for one reply at a time. */
export const flowRequests: Projection<FlowRequestRow> = {
  name: 'flow-requests',
  version: 1,
  categories: ['flowRun', 'contact', 'user'],
  table: flowRequestTable,
  on: {
    FlowRequestAsked: { key, row: (_, event) => rowOf(event, event.data) },
    FlowRequestAnswered: gone,
    FlowRunEnded: gone,
    FlowRunMovedAway: gone,
    FlowRunTakenOver: {
      key,
      row: (_, event) => {
        const run = readRun(event.data.state)
        if (run?.standing?.waitsFor !== 'reply') return undefined
        return rowOf(event, { nodeId: run.standing.nodeId, step: run.step })
      },
    },
    ContactErased: { purge: { column: 'contactId', value: contactOf } },
    UserErased: { purge: { column: 'tenant', value: contactOf } },
  },
}

const columns = `run_id as "runId", owner as tenant, contact_id as "contactId", flow_id as "flowId", version, node_id as "nodeId",
  step, asked_at as "askedAt", event_id as "eventId", correlation_id as "correlationId"`

/** The earliest of each tenant, at most so many of each beside those under way. */
export const findFlowRequests = async (
  pool: Ports['pool'],
  { perTenant, underWay }: { perTenant: number; underWay: readonly string[] },
): Promise<FlowRequestRow[]> => {
  const { rows } = await pool.query<FlowRequestRow>({
    ...prepared(`select ${columns} from (
      select *, row_number() over (partition by owner order by asked_at, run_id) as place
      from flow_request where run_id <> all($2)
    ) waiting where place <= $1 order by asked_at, run_id`),
    values: [perTenant, underWay],
  })
  return rows
}
