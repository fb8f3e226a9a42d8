import type { Message } from '@prosa/contracts/http/live-chat'
import type { Pool } from 'pg'
import { messageText } from '../message-text.ts'
import { selectList } from '../runner/table.ts'
import { failureReason } from './failure-reason.ts'
import { type MessageRow, messageTable } from './table.ts'

const messageOf = (row: MessageRow): Message => ({
  id: row.messageId,
  contactId: row.contactId,
  content: messageText(row.content),
  kind: row.content.kind,
  sender: row.sender,
  timestamp: row.timestamp,
  status: row.status,
  failure: row.failureCode === null ? null : failureReason(row.failureCode),
  sentElsewhere: row.sentElsewhere,
})

export interface MessagesAsked {
  owner: string
  contactId: string
  /** Only messages that came before this place of the log. */
  before?: string
  limit: number
}

/** The latest messages of one chat, oldest first; `olderBefore` leads to the ones before them, where there are some. */
export const findMessages = async (
  pool: Pool,
  { owner, contactId, before, limit }: MessagesAsked,
): Promise<{ messages: Message[]; olderBefore: string | undefined }> => {
  const { rows } = await pool.query<MessageRow>({
    name: 'messages of contact',
    text: `select ${selectList(messageTable)} from chat_message
           where contact_id = $1 and owner = $2 and ($3::text is null or place < $3 collate "C")
           order by place desc limit $4`,
    values: [contactId, owner, before ?? null, limit + 1],
  })
  const page = rows.slice(0, limit)
  return {
    messages: page.map(messageOf).reverse(),
    olderBefore: rows.length > limit ? page.at(-1)?.place : undefined,
  }
}
