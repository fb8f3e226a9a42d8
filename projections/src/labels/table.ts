import type { LabelColour } from '@prosa/contracts/values/label-colour'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface LabelRow {
  id: string
  owner: string
  name: string
  colour: LabelColour
  /** Without accents and case. */
  sortName: string
}

export const labelTable: Table<LabelRow> = {
  name: 'label',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C" not null',
    name: 'text not null',
    colour: 'text not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index label_owner on label (owner, sort_name, id)'],
}
