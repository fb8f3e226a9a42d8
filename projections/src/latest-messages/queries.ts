import type { ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { deletedText, messageLine } from '../message-text.ts'
import { searchText } from '../search-text.ts'
import { type AccountShown, accountOf } from '../users/account-of.ts'
import { beginningWith, wordsIn } from '../word-index.ts'

export interface FoundMessage extends AccountShown {
  key: string
  place: string
  content: MessageContent
  isDeleted: boolean
  timestamp: string
  sender: 'user' | 'contact'
  status: MessageStatus | null
  contactId: string
  contactName: string | null
  contactPhone: string | null
}

export interface MessagesOfAllAsked {
  /** In the form of `wordsOf`: prefixes, all of them. */
  words: readonly string[]
  /** Their chats only. */
  contacts?: readonly string[] | undefined
  status?: MessageStatus | undefined
  sender?: 'user' | 'contact' | undefined
  /** Log positions: `after` and `before` are exclusive, `downTo` and `upTo` inclusive. */
  after?: string | undefined
  upTo?: string | undefined
  before?: string | undefined
  downTo?: string | undefined
  limit: number
}

const endOfLog = '\x7f'

const narrowed = (messages: BuiltQuery, { words, status, sender }: MessagesOfAllAsked) => {
  if (status) messages.where({ 'm.status': status })
  if (sender) messages.where({ 'm.sender': sender })
  if (words.length === 0) return messages
  messages.join('message_search as s', 's.key', 'm.key')
  for (const word of words) messages.whereRaw('position(? in s.words) > 0', [` ${word}`])
  return messages
}

const between = (messages: BuiltQuery, { after, upTo, before = endOfLog, downTo }: MessagesOfAllAsked) => {
  messages.whereRaw('m.place < ? collate "C"', [before])
  if (after !== undefined) messages.whereRaw('m.place > ? collate "C"', [after])
  if (upTo !== undefined) messages.whereRaw('m.place <= ? collate "C"', [upTo])
  if (downTo !== undefined) messages.whereRaw('m.place >= ? collate "C"', [downTo])
  return messages
}

const pageOf = (asked: MessagesOfAllAsked): BuiltQuery => {
  const found = asked.contacts
    ? build
        .select('m.*')
        .from(build.raw('unnest(?::text[]) as chat (id)', [[...asked.contacts]]))
        .join('chat_message as m', 'm.contact_id', 'chat.id')
    : build.select('m.*').from('chat_message as m')
  return narrowed(between(found, asked), asked).orderBy('m.place', 'desc').limit(asked.limit)
}

/** All tenants, latest first. Administrators only. */
export const findMessagesOfAll = async (pool: Pool, asked: MessagesOfAllAsked): Promise<FoundMessage[]> => {
  const list = build
    .select('m.key', 'm.place', 'm.content', 'm.timestamp', 'm.sender', 'm.status')
    .select({ contactId: 'm.contact_id', contactName: 'c.name', contactPhone: 'c.phone' })
    .select(build.raw('m.deleted_at is not null as "isDeleted"'))
    .select({ accountId: 'u.id', firstName: 'u.first_name', lastName: 'u.last_name', email: 'u.email' })
    .from(pageOf(asked).as('m'))
    .leftJoin('contact_list as c', 'c.id', 'm.contact_id')
    .leftJoin('listed_user as u', 'u.id', 'm.owner')
    .orderBy('m.place', 'desc')
  return (await pool.query<FoundMessage>(built(list))).rows
}

/** Position of the last of so many messages before a position; undefined where there are fewer. */
export const endOfWindow = async (
  pool: Pool,
  { after, upTo, before }: Pick<MessagesOfAllAsked, 'after' | 'upTo' | 'before'>,
  size: number,
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ place: string }>({
    name: 'end of a window of messages',
    text: `select place from chat_message
           where place < $1 collate "C" and place > $2 collate "C" and place <= $3 collate "C"
           order by place desc offset $4 limit 1`,
    values: [before ?? endOfLog, after ?? '', upTo ?? endOfLog, size - 1],
  })
  return rows[0]?.place
}

/** Contacts by the beginning of name or number, with those merged with them; latest first. */
export const findChatsOf = async (pool: Pool, contact: string, limit: number): Promise<string[]> => {
  const words = beginningWith(searchText(contact))
  if (!words) return []
  const { rows } = await pool.query<{ id: string }>({
    name: 'chats of contacts by words',
    text: `with recursive found as materialized (
             select id, place from contact_directory where ${wordsIn('words')} @@ $1::tsquery
           ), person (id) as (
             select id from (select id from found order by place desc limit $2) latest
             union
             select other.id from person join contact_list other on other.absorbed_into = person.id
           )
           select id from person limit $2`,
    values: [words, limit],
  })
  return rows.map(({ id }) => id)
}

export const shownMessageOfAll = (row: FoundMessage): ListedMessage => {
  const { key, content, isDeleted, timestamp, sender, status, contactId, contactName, contactPhone } = row
  return {
    key,
    content: isDeleted ? deletedText : messageLine(content),
    timestamp,
    sender,
    status,
    contactId,
    contactName,
    contactPhone,
    account: accountOf(row),
  }
}
