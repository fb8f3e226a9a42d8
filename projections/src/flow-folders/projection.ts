import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { plain } from '../search-text.ts'
import { type FlowFolderRow, flowFolderTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

export const flowFolders: Projection<FlowFolderRow> = {
  name: 'flow-folders',
  version: 1,
  categories: ['flowFolder', 'user'],
  table: flowFolderTable,
  on: {
    FlowFolderCreated: {
      key,
      row: (_, { stream, data: { name, description }, metadata: { owner, recordedAt } }) => ({
        id: parseStream(stream).id,
        owner,
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
    UserErased: { purge: { column: 'owner', value: ({ stream }) => parseStream(stream).id } },
  },
}
