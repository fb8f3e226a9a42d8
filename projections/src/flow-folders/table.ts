import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowFolderRow {
  id: string
  owner: string | null
  name: string
  description: string
  createdAt: string
  updatedAt: string
  /** Without accents and case. */
  sortName: string
}

export const flowFolderTable: Table<FlowFolderRow> = {
  name: 'flow_folder',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    name: 'text not null',
    description: 'text not null',
    createdAt: 'text collate "C" not null',
    updatedAt: 'text collate "C" not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index flow_folder_owner on flow_folder (owner, sort_name, id)'],
}
