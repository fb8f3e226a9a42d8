import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import { plain } from '../search-text.ts'

export interface FlowFolderRow {
  id: string
  tenant: string | null
  name: string
  description: string
  createdAt: string
  updatedAt: string
  /** Without accents and case. */
  sortName: string
}

const flowFolderTable: Table<FlowFolderRow> = {
  name: 'flow_folder',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    name: 'text not null',
    description: 'text not null',
    createdAt: 'text collate "C" not null',
    updatedAt: 'text collate "C" not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index flow_folder_owner on flow_folder (owner, sort_name, id)'],
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

export const flowFolders: Projection<FlowFolderRow> = {
  name: 'flow-folders',
  version: 1,
  categories: ['flowFolder', 'user'],
  table: flowFolderTable,
  on: {
    FlowFolderCreated: {
      key,
      row: (_, { stream, data: { name, description }, metadata: { tenant, recordedAt } }) => ({
        id: parseStream(stream).id,
        tenant,
        name,
        description,
        createdAt: recordedAt,
        updatedAt: recordedAt,
        sortName: plain(name),
      }),
    },
    FlowFolderDescribed: {
      key,
      row: (row, { data: { name, description }, metadata }) =>
        row && { ...row, name, description, updatedAt: metadata.recordedAt, sortName: plain(name) },
    },
    FlowFolderDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
