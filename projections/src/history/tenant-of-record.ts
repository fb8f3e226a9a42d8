import type { HistoryRecordKind } from '@prosa/contracts/http/history'
import type { Pool } from 'pg'
import { parseRecordKey, recordKey } from './records.ts'

/** By parents, such as an order's account; null if unassigned. */
export const tenantOfRecord = async (pool: Pool, kind: HistoryRecordKind, id: string): Promise<string | null> => {
  if (kind === 'user') return id
  const { rows } = await pool.query<{ parent: string | null; tenant: string | null }>({
    name: 'tenant of a record',
    text: `with recursive above (record, depth) as (
             select $1::text collate "C", 0
             union
             select link.parent, above.depth + 1 from above join history_link link on link.record = above.record
             where link.parent is not null and above.depth < 3
           )
           select
             (select record from above where record like 'user:%' limit 1) as parent,
             (select coalesce(owner, account) from history_place
              where record = $1 and group_name <> 'reading' order by thread, place limit 1) as tenant`,
    values: [recordKey(kind, id)],
  })
  const [found] = rows
  if (found?.parent) return parseRecordKey(found.parent).id
  return found?.tenant ?? null
}

/** Unknown ids must not be logged for ever as read. */
export const isRecordKnown = async (pool: Pool, kind: HistoryRecordKind, id: string): Promise<boolean> => {
  const { rows } = await pool.query<{ isKnown: boolean }>({
    name: 'whether a record is known',
    text: `select exists (select from history_place where record = $1)
             or exists (select from history_link where record = $1)
             or ($2::text is not null and exists (select from history_place where account = $2)) as "isKnown"`,
    values: [recordKey(kind, id), kind === 'user' ? id : null],
  })
  return rows[0]?.isKnown ?? false
}
