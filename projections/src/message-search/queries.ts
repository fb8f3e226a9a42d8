import type { MessageFound } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { excerptOf } from './excerpt.ts'
import { indexedWords, tenantMark } from './table.ts'
import { textOf } from './words.ts'

export interface SearchAsked {
  tenant: string
  /** Prefixes in the form of `wordsOf`; at least one. */
  words: readonly string[]
  /** Default: all. */
  chats?: readonly string[]
  connections?: readonly string[]
  /** Log position. */
  before?: string
  limit: number
  /** Number of latest messages to scan before using the index. */
  lookBack?: number
}

interface Match {
  key: string
  place: string
}

const endOfLog = '\x7f'
/** A word found fewer than 20 times in these is rare enough for the index. */
const enoughToLookBack = 2000
/** Shorter prefixes match too many words. */
const selectiveLength = 3

const holdingAll = (messages: BuiltQuery, { words, connections }: SearchAsked) => {
  for (const word of words) messages.whereRaw('position(? in words) > 0', [` ${word}`])
  if (connections) messages.whereRaw('connection_id = any(?)', [[...connections]])
  return messages
}

const nameOf = (kind: string, { words, connections }: SearchAsked) =>
  `search ${kind} ${words.length}${connections ? ' over' : ''}`

/** Compares byte by byte. */
const earlier = (messages: BuiltQuery, before = endOfLog) => messages.whereRaw('place < ? collate "C"', [before])

/** Frequent words: scanning from the latest beats many unordered index rows. */
const findAmongLatest = async (pool: Pool, asked: SearchAsked): Promise<Match[]> => {
  const { tenant, before, limit, lookBack = enoughToLookBack } = asked
  const latest = build('message_search').select('key', 'place', 'words', 'connection_id').where({ owner: tenant })
  earlier(latest, before).orderBy('place', 'desc').limit(lookBack)
  const found = build.select('key', 'place').from(latest.as('latest')).orderBy('place', 'desc').limit(limit)
  const { rows } = await pool.query<Match>({
    name: nameOf('latest', asked),
    ...built(holdingAll(found, asked)),
  })
  return rows
}

/** Letters and digits only: no injection. */
const indexQuery = (tenant: string, words: readonly string[]): string => {
  const selective = words.filter((word) => word.length >= selectiveLength)
  return (selective.length > 0 ? selective : words).map((word) => `'${tenantMark(tenant)}${word}':*`).join(' & ')
}

/** Materialized: otherwise the planner may scan the whole history. */
const latestOf = (found: BuiltQuery, limit: number) =>
  build.withMaterialized('found', found).select('key', 'place').from('found').orderBy('place', 'desc').limit(limit)

const findByIndex = async (pool: Pool, asked: SearchAsked): Promise<Match[]> => {
  const { tenant, words, before, limit } = asked
  const found = build('message_search')
    .select('key', 'place')
    .whereRaw(`${indexedWords} @@ ?::tsquery`, [indexQuery(tenant, words)])
    .where({ owner: tenant })
  holdingAll(earlier(found, before), asked)
  const { rows } = await pool.query<Match>({ name: nameOf('index', asked), ...built(latestOf(found, limit)) })
  return rows
}

/** One conversation by contact: at most 60 ms (50,000 of 500,000 messages). The word index would return all chats. */
const findInChats = async (pool: Pool, chats: readonly string[], asked: SearchAsked): Promise<Match[]> => {
  const { tenant, before, limit } = asked
  const found = build
    .select('key', 'place')
    .from(build.raw('unnest(?::text[]) as chat (id)', [[...chats]]))
    .join('message_search', 'contact_id', 'chat.id')
    .where({ owner: tenant })
  holdingAll(earlier(found, before), asked)
  const { rows } = await pool.query<Match>({ name: nameOf('chats', asked), ...built(latestOf(found, limit)) })
  return rows
}

const findMatches = async (pool: Pool, asked: SearchAsked): Promise<Match[]> => {
  if (asked.chats) return findInChats(pool, asked.chats, asked)
  const latest = await findAmongLatest(pool, asked)
  return latest.length === asked.limit ? latest : findByIndex(pool, asked)
}

interface Shown {
  key: string
  messageId: string
  sender: MessageFound['sender']
  timestamp: string
  content: MessageContent
  contactId: string
  contactName: string | null
  contactPhone: string | null
}

/** With the survivor of a merge. */
const readFound = async (pool: Pool, tenant: string, keys: readonly string[]): Promise<Map<string, Shown>> => {
  const { rows } = await pool.query<Shown>({
    name: 'messages found',
    text: `with recursive message as materialized (
             select key, contact_id, message_id, sender, timestamp, content from chat_message
             where key = any($1) and owner = $2 and deleted_at is null
           ), up (origin, id, absorbed_into) as (
             select id, id, absorbed_into from contact_list
             where id in (select contact_id from message) and owner = $2
             union
             select up.origin, c.id, c.absorbed_into
             from up join contact_list c on c.id = up.absorbed_into and c.owner = $2
           )
           select m.key, m.message_id as "messageId", m.sender, m.timestamp, m.content,
                  c.id as "contactId", c.name as "contactName", c.phone as "contactPhone"
           from message m
           join up on up.origin = m.contact_id and up.absorbed_into is null
           join contact_list c on c.id = up.id`,
    values: [keys, tenant],
  })
  return new Map(rows.map((row) => [row.key, row]))
}

/** Latest first, all prefixes; `olderBefore` continues. */
export const searchMessages = async (
  pool: Pool,
  asked: SearchAsked,
): Promise<{ found: MessageFound[]; olderBefore: string | undefined }> => {
  const places = await findMatches(pool, { ...asked, limit: asked.limit + 1 })
  const page = places.slice(0, asked.limit)
  if (page.length === 0) return { found: [], olderBefore: undefined }
  const keys = page.map(({ key }) => key)
  const messages = await readFound(pool, asked.tenant, keys)
  return {
    found: keys.flatMap((key): MessageFound[] => {
      const shown = messages.get(key)
      if (!shown) return []
      const { key: _, content, ...rest } = shown
      return [{ ...rest, excerpt: excerptOf(textOf(content), asked.words) }]
    }),
    olderBefore: places.length > asked.limit ? page.at(-1)?.place : undefined,
  }
}
