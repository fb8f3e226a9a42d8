import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { plain } from '../search-text.ts'
import { type QuickReplyRow, quickReplyTable } from './table.ts'

type Stated = StoredOf<'QuickReplyAdded'> | StoredOf<'QuickReplyChanged'>

const key = ({ data }: { data: { quickReplyId: string } }) => data.quickReplyId

const rowOf = ({ stream, data: { quickReplyId, shortcut, content, isActive } }: Stated): QuickReplyRow => ({
  id: quickReplyId,
  owner: parseStream(stream).id,
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
    UserErased: { purge: { column: 'owner', value: ({ stream }) => parseStream(stream).id } },
  },
}
