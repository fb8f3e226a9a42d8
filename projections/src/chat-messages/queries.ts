import type { Message } from '@prosa/contracts/http/live-chat'
import { columnName, fieldsOf } from '@prosa/kernel/consumers/projections/table'
import type { Pool } from 'pg'
import { type FoundMessage, shownMessage } from './shown-message.ts'
import { type MessageRow, messageTable } from './table.ts'

export type PageAsked =
  | { kind: 'latest' }
  | { kind: 'before' | 'after'; position: string }
  | { kind: 'around'; messageId: string }

export interface MessagesAsked {
  tenant: string
  contactId: string
  /** Merged contacts, whose chats belong to this one. */
  mergedIds: readonly string[]
  page: PageAsked
  limit: number
}

/** Oldest first. `olderBefore`, `newerAfter`: positions, if there are more. */
export interface MessagesFound {
  messages: Message[]
  /** Their log positions. */
  positions: string[]
  /** Position of the message before them; '' if there is none. */
  since: string
  olderBefore: string | undefined
  newerAfter: string | undefined
}

type Joined = MessageRow & {
  fileStatus: NonNullable<FoundMessage['file']>['status'] | null
  fileMediaType: string | null
  fileBytes: number | null
  fileReason: NonNullable<FoundMessage['file']>['reason']
  answeredContent: MessageRow['content'] | null
  answeredSender: MessageRow['sender'] | null
  answeredDeletedAt: string | null
}

const columns = fieldsOf(messageTable)
  .map((field) => `m.${columnName(field)} as "${field}"`)
  .join(', ')

/** At most $3 of each chat in $1 beside position $4, then of all. */
const pageOf = (comparison: '<' | '>' | '>=', order: 'asc' | 'desc') => `
  select ${columns},
         f.status as "fileStatus", f.media_type as "fileMediaType", f.bytes as "fileBytes", f.reason as "fileReason",
         a.content as "answeredContent", a.sender as "answeredSender", a.deleted_at as "answeredDeletedAt"
  from (
    select m.* from unnest($1::text[]) as chat (id) cross join lateral (
      select * from chat_message where contact_id = chat.id and owner = $2
        and place ${comparison} $4 collate "C"
      order by place ${order} limit $3
    ) m order by m.place ${order} limit $3
  ) m
  left join media f on f.id = m.content -> 'file' ->> 'id' and f.owner = $2
  left join lateral (
    select content, sender, deleted_at from chat_message
    where key in (select chat.id || ':' || (m.content -> 'quoted' ->> 'messageId') from unnest($1::text[]) as chat (id))
      and owner = $2
    order by key limit 1
  ) a on true
  order by m.place ${order}`

/** Sorts after every position. */
const endOfLog = '\x7f'

const older = pageOf('<', 'desc')
const newer = pageOf('>', 'asc')
const from = pageOf('>=', 'asc')

const foundOf = (row: Joined): FoundMessage => ({
  row,
  file: row.fileStatus
    ? { status: row.fileStatus, mediaType: row.fileMediaType, bytes: row.fileBytes, reason: row.fileReason }
    : undefined,
  answered:
    row.answeredContent && row.answeredSender
      ? { content: row.answeredContent, sender: row.answeredSender, deletedAt: row.answeredDeletedAt }
      : undefined,
})

/** Undefined if `around` is not in the chat. */
export const findMessages = async (
  pool: Pool,
  { tenant, contactId, mergedIds, page, limit }: MessagesAsked,
): Promise<MessagesFound | undefined> => {
  const chats = [contactId, ...mergedIds]
  const read = async (side: 'older' | 'newer' | 'from', position: string, count: number) => {
    const { rows } = await pool.query<Joined>({
      name: `messages ${side}`,
      text: { older, newer, from }[side],
      values: [chats, tenant, count + 1, position],
    })
    return { rows: rows.slice(0, count), goesOn: rows.length > count, beyond: rows[count]?.place ?? '' }
  }
  const shown = (rows: readonly Joined[], since: string, hasOlder: boolean, hasNewer: boolean): MessagesFound => ({
    messages: rows.map((row) => shownMessage(foundOf(row), contactId)),
    positions: rows.map(({ place }) => place),
    since,
    olderBefore: hasOlder ? rows[0]?.place : undefined,
    newerAfter: hasNewer ? rows.at(-1)?.place : undefined,
  })

  switch (page.kind) {
    case 'latest':
    case 'before': {
      const { rows, goesOn, beyond } = await read('older', page.kind === 'before' ? page.position : endOfLog, limit)
      return shown(rows.toReversed(), beyond, goesOn, page.kind === 'before')
    }
    case 'after': {
      const { rows, goesOn } = await read('newer', page.position, limit)
      return shown(rows, page.position, true, goesOn)
    }
    case 'around': {
      const position = await positionOf(pool, tenant, chats, page.messageId)
      if (position === undefined) return undefined
      const half = Math.floor(limit / 2)
      const [before, after] = await Promise.all([read('older', position, half), read('from', position, limit - half)])
      return shown([...before.rows.toReversed(), ...after.rows], before.beyond, before.goesOn, after.goesOn)
    }
  }
}

const positionOf = async (pool: Pool, tenant: string, chats: readonly string[], messageId: string) => {
  const { rows } = await pool.query<{ place: string }>({
    name: 'position of message',
    text: 'select place from chat_message where key = any($1) and owner = $2 order by place limit 1',
    values: [chats.map((chat) => `${chat}:${messageId}`), tenant],
  })
  return rows[0]?.place
}
