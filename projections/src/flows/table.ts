import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowRow {
  id: string
  tenant: string | null
  /** Log position: the administrators' order. */
  place: string
  name: string
  folderId: string | null
  /** An unchanged sample; null in older rows. */
  isSample: boolean | null
  /** Last published version. */
  version: number | null
  isOn: boolean
  /** The draft if in the log; `revision` counts saves. */
  document: FlowDocument
  /** Null for a draft in the log. */
  draftDigest: string | null
  revision: number
  /** Revision of the published draft. */
  publishedRevision: number | null
  nodeCount: number
  createdAt: string
  updatedAt: string
}

export const flowTable: Table<FlowRow> = {
  name: 'flow',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    place: 'text collate "C" not null',
    name: 'text not null',
    folderId: 'text collate "C"',
    isSample: 'boolean',
    version: 'int',
    isOn: 'boolean not null',
    document: 'jsonb not null',
    draftDigest: 'text collate "C"',
    revision: 'int not null',
    publishedRevision: 'int',
    nodeCount: 'int not null',
    createdAt: 'text collate "C" not null',
    updatedAt: 'text collate "C" not null',
  },
  added: { draftDigest: { was: 'null' }, isSample: { notKnownYet: true } },
  after: [
    'create index flow_owner on flow (owner, updated_at desc, id)',
    'create index flow_latest on flow (place desc)',
  ],
}
