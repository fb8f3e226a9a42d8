import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface QuickReplyRow {
  id: string
  owner: string
  shortcut: string
  content: string
  isActive: boolean
  /** Without accents and case. */
  sortName: string
}

export const quickReplyTable: Table<QuickReplyRow> = {
  name: 'quick_reply',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C" not null',
    shortcut: 'text not null',
    content: 'text not null',
    isActive: 'boolean not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index quick_reply_owner on quick_reply (owner, sort_name, id)'],
}
