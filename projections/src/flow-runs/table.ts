import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowRunRow {
  id: string
  tenant: string
  flowId: string
  version: number
  /** Changes on a merge. */
  contactId: string
  startedBy: string
  startedAt: string
  /** Log position: the order. */
  place: string
  endedAt: string | null
  reason: FlowRun['reason']
  nodeId: string | null
  /** The run has left `nodeId`. */
  isLeft: boolean
  until: string | null
  /** Streams with first revisions. */
  parts: { contactId: string; revision: number }[]
}

export const flowRunTable: Table<FlowRunRow> = {
  name: 'flow_run',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
    flowId: 'text collate "C" not null',
    version: 'int not null',
    contactId: 'text collate "C" not null',
    startedBy: 'text not null',
    startedAt: 'text collate "C" not null',
    place: 'text collate "C" not null',
    endedAt: 'text',
    reason: 'text',
    nodeId: 'text',
    isLeft: 'boolean not null',
    until: 'text',
    parts: 'jsonb not null',
  },
  after: [
    'create index flow_run_flow on flow_run (owner, flow_id, place desc)',
    'create index flow_run_contact on flow_run (contact_id)',
  ],
}
