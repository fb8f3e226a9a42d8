import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowVersionRow {
  /** `<flow>:<version>` */
  key: string
  flowId: string
  owner: string | null
  version: number
  publishedAt: string
  publisherId: string
  document: FlowDocument
  /** Nodes, against the previous version. */
  added: number
  removed: number
  changed: number
}

export const flowVersionTable: Table<FlowVersionRow> = {
  name: 'flow_version',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    flowId: 'text collate "C" not null',
    owner: 'text collate "C"',
    version: 'int not null',
    publishedAt: 'text collate "C" not null',
    publisherId: 'text collate "C" not null',
    document: 'jsonb not null',
    added: 'int not null',
    removed: 'int not null',
    changed: 'int not null',
  },
  after: [
    'create index flow_version_flow on flow_version (flow_id, version desc)',
    'create index flow_version_owner on flow_version (owner)',
  ],
}
