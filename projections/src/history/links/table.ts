import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Parent of a record, perhaps known later than the record. */
export interface LinkRow {
  /** `delivery:<id>` */
  record: string
  /** `order:<id>`; null while unknown. */
  parent: string | null
  /** Shown to the buyer. */
  reference: string | null
}

export const linkTable: Table<LinkRow> = {
  name: 'history_link',
  key: 'record',
  columns: {
    record: 'text collate "C"',
    parent: 'text collate "C"',
    reference: 'text collate "C"',
  },
  after: [
    'create index history_link_parent on history_link (parent) where parent is not null',
    'create index history_link_reference on history_link (lower(reference)) where reference is not null',
  ],
}
