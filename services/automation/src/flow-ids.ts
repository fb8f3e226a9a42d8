import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

interface FlowIdRow {
  id: string
  tenant: string | null
  kind: 'flow' | 'folder'
  folderId: string | null
}

const flowIdTable: Table<FlowIdRow> = {
  name: 'flow_place',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    kind: 'text collate "C" not null',
    folderId: 'text collate "C"',
  },
  after: ['create index flow_place_owner on flow_place (owner, kind, folder_id)'],
}

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

/** Needed to delete with a folder or tenant, when other read models are empty already. */
export const flowIds: Projection<FlowIdRow> = {
  name: 'flow-places',
  version: 1,
  categories: ['flow', 'flowFolder'],
  table: flowIdTable,
  on: {
    FlowFolderCreated: {
      key,
      row: (_, event) => ({ id: key(event), tenant: event.metadata.tenant, kind: 'folder', folderId: null }),
    },
    FlowFolderDeleted: { key, row: () => undefined },
    FlowCreated: {
      key,
      row: (_, event) => ({
        id: key(event),
        tenant: event.metadata.tenant,
        kind: 'flow',
        folderId: event.data.folderId,
      }),
    },
    FlowMoved: { key, row: (row, { data: { folderId } }) => row && { ...row, folderId } },
    FlowDeleted: { key, row: () => undefined },
  },
}
