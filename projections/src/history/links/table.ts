import type { Table } from '@prosa/kernel/consumers/projections/table'

/** What a record belongs to: a delivery to an order, an order to an account. It becomes known after the record itself. */
export interface LinkRow {
  /** `delivery:<id>` */
  record: string
  /** `order:<id>`; null while it is not known. */
  parent: string | null
  /** Of an order, by what buyer and Kiwify know it. */
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
