import { parseStream } from '@prosa/contracts/streams'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import { plain } from '../search-text.ts'

export interface LabelRow {
  id: string
  tenant: string
  name: string
  colour: LabelColour
  /** Without accents and case. */
  sortName: string
}

const labelTable: Table<LabelRow> = {
  name: 'label',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
    name: 'text not null',
    colour: 'text not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index label_owner on label (owner, sort_name, id)'],
}

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
        tenant: parseStream(stream).id,
        name,
        colour,
        sortName: plain(name),
      }),
    },
    LabelRenamed: { key, row: (row, { data: { name } }) => row && { ...row, name, sortName: plain(name) } },
    LabelRecoloured: { key, row: (row, { data: { colour } }) => row && { ...row, colour } },
    LabelDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
