import type { ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { deletedText, messageLine } from '../message-text.ts'
import { type AccountShown, accountOf } from '../users/account-of.ts'

export interface FoundMessage extends AccountShown {
  key: string
  place: string
  content: MessageContent
  isDeleted: boolean
  timestamp: string
  sender: 'user' | 'contact'
  contactId: string
  contactName: string | null
  contactPhone: string | null
}

/** All tenants, latest first. Administrators only. */
export const findMessagesOfAll = async (
  pool: Pool,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<FoundMessage[]> => {
  const page = build('chat_message')
  if (before !== undefined) page.whereRaw('place < ? collate "C"', [before])
  page.orderBy('place', 'desc').limit(limit)
  const list = build
    .select('m.key', 'm.place', 'm.content', 'm.timestamp', 'm.sender')
    .select({ contactId: 'm.contact_id', contactName: 'c.name', contactPhone: 'c.phone' })
    .select(build.raw('m.deleted_at is not null as "isDeleted"'))
    .select({ accountId: 'u.id', firstName: 'u.first_name', lastName: 'u.last_name', email: 'u.email' })
    .from(page.as('m'))
    .leftJoin('contact_list as c', 'c.id', 'm.contact_id')
    .leftJoin('listed_user as u', 'u.id', 'm.owner')
    .orderBy('m.place', 'desc')
  const name = `messages of all ${before === undefined ? 'first' : 'before'}`
  return (await pool.query<FoundMessage>({ name, ...built(list) })).rows
}

export const shownMessageOfAll = (row: FoundMessage): ListedMessage => {
  const { key, content, isDeleted, timestamp, sender, contactId, contactName, contactPhone } = row
  return {
    key,
    content: isDeleted ? deletedText : messageLine(content),
    timestamp,
    sender,
    contactId,
    contactName,
    contactPhone,
    account: accountOf(row),
  }
}
