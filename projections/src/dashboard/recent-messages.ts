import type { RecentMessage } from '@prosa/contracts/http/dashboard'
import type { Instant } from '@prosa/contracts/values/instant'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Pool } from 'pg'
import { deletedText, messageLine } from '../message-text.ts'

export interface RecentMessagesAsked {
  tenant: string
  since: Instant
  /** Log position. */
  before?: string | undefined
  limit: number
}

interface FoundMessage extends Omit<RecentMessage, 'content' | 'kind'> {
  place: string
  content: MessageContent
  isDeleted: boolean
}

/** Recently active contacts by index, or the few merged ones. */
const text = `
  select m.message_id as id, m.contact_id as "contactId", m.place, m.content, m.sender, m.timestamp, m.status,
         m.deleted_at is not null as "isDeleted"
  from (
    select id from contact_list where owner = $1 and absorbed_into is null and last_activity >= $2
    union all
    select id from contact_list where owner = $1 and absorbed_into is not null
  ) as c
  cross join lateral (
    select * from chat_message m
    where m.contact_id = c.id and m.owner = $1 and m.timestamp >= $2 collate "C" and m.place < $3 collate "C"
    order by m.place desc limit $4
  ) as m
  order by m.place desc limit $4`

const end = '~'

/** Latest first. */
export const findRecentMessages = async (
  pool: Pool,
  { tenant, since, before, limit }: RecentMessagesAsked,
): Promise<FoundMessage[]> => {
  const values = [tenant, since, before ?? end, limit]
  return (await pool.query<FoundMessage>({ name: 'recent messages of tenant', text, values })).rows
}

export const shownRecentMessage = ({ place: _, content, isDeleted, ...shown }: FoundMessage): RecentMessage => ({
  ...shown,
  content: isDeleted ? deletedText : messageLine(content),
  kind: isDeleted ? 'deleted' : content.kind,
})
