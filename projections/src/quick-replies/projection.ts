import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { plain } from '../search-text.ts'

export interface QuickReplyRow {
  id: string
  tenant: string
  shortcut: string
  content: string
  isActive: boolean
  /** Without accents and case. */
  sortName: string
}

const quickReplyTable: Table<QuickReplyRow> = {
  name: 'quick_reply',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
    shortcut: 'text not null',
    content: 'text not null',
    isActive: 'boolean not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index quick_reply_owner on quick_reply (owner, sort_name, id)'],
}

type Stated = StoredOf<'QuickReplyAdded'> | StoredOf<'QuickReplyChanged'>

const key = ({ data }: { data: { quickReplyId: string } }) => data.quickReplyId

const rowOf = ({ stream, data: { quickReplyId, shortcut, content, isActive } }: Stated): QuickReplyRow => ({
  id: quickReplyId,
  tenant: parseStream(stream).id,
  shortcut,
  content,
  isActive,
  sortName: plain(shortcut),
})

export const quickReplies: Projection<QuickReplyRow> = {
  name: 'quick-replies',
  version: 1,
  categories: ['quickReply', 'user'],
  table: quickReplyTable,
  on: {
    QuickReplyAdded: { key, row: (_, event) => rowOf(event) },
    QuickReplyChanged: { key, row: (row, event) => row && rowOf(event) },
    QuickReplyRemoved: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
