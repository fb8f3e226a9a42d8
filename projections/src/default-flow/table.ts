import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface DefaultFlowRow {
  /** The tenant's id. */
  id: string
  owner: string
  flowId: string
}

export const defaultFlowTable: Table<DefaultFlowRow> = {
  name: 'default_flow',
  key: 'id',
  columns: { id: 'text collate "C"', owner: 'text collate "C" not null', flowId: 'text collate "C" not null' },
  after: [
    'create unique index default_flow_owner on default_flow (owner)',
    'create index default_flow_flow on default_flow (flow_id)',
  ],
}
