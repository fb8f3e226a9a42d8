import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowRow {
  id: string
  owner: string | null
  /** Position in the log of the event that made it: the order of the administrators' list. */
  place: string
  name: string
  folderId: string | null
  /** Prosa made it as an example, and nobody has changed it; null in rows of a version that did not keep it. */
  isSample: boolean | null
  /** The version that runs, or would; null before the first. */
  version: number | null
  isOn: boolean
  /** The draft where the log holds it, and how often it was saved. */
  document: FlowDocument
  /** Of a draft that stands beside the log; null of one that the log holds, and of rows of before. */
  draftDigest: string | null
  revision: number
  /** The draft that the version was made of. */
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
    owner: 'text collate "C"',
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
