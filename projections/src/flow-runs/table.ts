import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowRunRow {
  id: string
  owner: string
  flowId: string
  version: number
  /** With whom it runs; another one once the contact was merged. */
  contactId: string
  startedBy: string
  startedAt: string
  /** Position in the log of its start: the order of a list. */
  place: string
  endedAt: string | null
  reason: FlowRun['reason']
  /** The node that it came to last. */
  nodeId: string | null
  /** Whether it has left that node. */
  isLeft: boolean
  /** Until when it waits there. */
  until: string | null
  /** The streams that hold its events, and from which revision on. */
  parts: { contactId: string; revision: number }[]
}

export const flowRunTable: Table<FlowRunRow> = {
  name: 'flow_run',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C" not null',
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
