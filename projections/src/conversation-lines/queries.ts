import type { ConversationLine, Message } from '@prosa/contracts/http/live-chat'
import type { Pool } from 'pg'

interface LinesAsked {
  tenant: string
  /** Of the contact and those merged into it. */
  contactIds: readonly string[]
  /** Log positions, both excluded. */
  after: string
  before: string
  /** What happened to a line since then is not shown. */
  asOf: string
  limit: number
  /** Where there are more than `limit`. */
  from: 'oldest' | 'latest'
}

type Found = ConversationLine & { position: string }

/** In log order. */
export const findLines = async (
  pool: Pool,
  { tenant, contactIds, after, before, asOf, limit, from }: LinesAsked,
): Promise<readonly Found[]> => {
  const { rows } = await pool.query<Found>({
    name: `${from} lines of conversations`,
    text: `select l.position, l.id, l.at, l.kind, l.reason,
                  nullif(trim(a.first_name || ' ' || a.last_name), '') as who, f.name as flow,
                  case when c.is_removed then null else c.name end as number,
                  coalesce(l.stopped_position < $6 collate "C", false) as "stopsFlow"
           from (select * from conversation_line
                 where contact_id = any($1) and owner = $2 and position > $3 collate "C" and position < $4 collate "C"
                 order by position ${from === 'latest' ? 'desc' : 'asc'} limit $5) l
           left join account a on a.id = l.user_id
           left join flow f on f.id = l.flow_id and f.owner = $2
           left join connection c on c.id = l.connection_id and c.owner = $2
           order by l.position`,
    values: [contactIds, tenant, after, before, limit, asOf],
  })
  return rows
}

/** `positions`: of the messages, in the same order. Lines before the first are since the message that precedes it. */
export const withLines = (
  messages: readonly Message[],
  positions: readonly string[],
  lines: readonly Found[],
): Message[] => {
  let next = 0
  const before = (position: string): ConversationLine[] => {
    const from = next
    while ((lines[next]?.position ?? '\x7f') < position) next++
    return lines.slice(from, next).map(({ position: _, ...line }) => line)
  }
  return messages.map((message, index) => {
    const linesBefore = before(positions[index] ?? '')
    const linesAfter = index === messages.length - 1 ? before('\x7f') : []
    return {
      ...message,
      ...(linesBefore.length > 0 && { linesBefore }),
      ...(linesAfter.length > 0 && { linesAfter }),
    }
  })
}
