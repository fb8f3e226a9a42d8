import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { plain } from '../search-text.ts'
import { type LabelRow, labelTable } from './table.ts'

const key = ({ data }: { data: { labelId: string } }) => data.labelId

export const labels: Projection<LabelRow> = {
  name: 'labels',
  version: 1,
  categories: ['label', 'user'],
  table: labelTable,
  on: {
    LabelCreated: {
      key,
      row: (_, { stream, data: { labelId, name, colour } }) => ({
        id: labelId,
        owner: parseStream(stream).id,
        name,
        colour,
        sortName: plain(name),
      }),
    },
    LabelRenamed: { key, row: (row, { data: { name } }) => row && { ...row, name, sortName: plain(name) } },
    LabelRecoloured: { key, row: (row, { data: { colour } }) => row && { ...row, colour } },
    LabelDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'owner', value: ({ stream }) => parseStream(stream).id } },
  },
}
