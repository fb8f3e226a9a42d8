import type { Pool } from 'pg'
import { timeAmongAll } from '../history/queries.ts'
import { everyAccount, recordKey } from '../history/records.ts'

const namesAtOnce = 500
/** Each page sorts all files: few, large pages. */
const filesAtOnce = 5000

/** In the timeline. Index skip scan, independent of stream lengths. */
export async function* streamsOfTenant(pool: Pool, tenant: string): AsyncGenerator<string> {
  let last: string | null = null
  for (;;) {
    const { rows }: { rows: { stream: string }[] } = await pool.query<{ stream: string }>({
      name: 'streams of a tenant',
      text: `with recursive step (stream, number) as (
               (select stream, 1 from history_place
                where owner = $1 and ($2::text is null or stream > $2) order by stream limit 1)
               union all
               select next.stream, step.number + 1 from step cross join lateral (
                 select stream from history_place where owner = $1 and stream > step.stream order by stream limit 1
               ) next
               where step.number < $3
             )
             select stream from step order by stream`,
      values: [tenant, last, namesAtOnce],
    })
    for (const { stream } of rows) yield stream
    if (rows.length < namesAtOnce) return
    last = rows.at(-1)?.stream ?? null
  }
}

/** Outside the tenant: address claims, orders, subscriptions, deliveries. Sorted by name. */
export const findStreamsAbout = async (pool: Pool, userId: string): Promise<string[]> => {
  const { rows } = await pool.query<{ stream: string }>({
    name: 'streams about an account',
    text: `with recursive own (record) as (
             select $2::text collate "C"
             union
             select link.record from own join history_link link on link.parent = own.record
           )
           select distinct stream from (
             select stream, owner from history_place where account = $1
             union all
             select p.stream, p.owner from own join history_place p on p.record = own.record
           ) found
           where owner is distinct from $1 order by stream`,
    values: [userId, recordKey('user', userId)],
  })
  return rows.map(({ stream }) => stream)
}

/** Shared readings, or from before the account was known, by event. */
export const findSharedReadings = async (pool: Pool, userId: string): Promise<Map<string, ReadonlySet<string>>> => {
  const among = await timeAmongAll(pool, userId)
  const { rows } = await pool.query<{ id: string; stream: string }>({
    name: 'readings of an account and others',
    text: `with recursive own (record) as (
             select $1::text collate "C"
             union
             select link.record from own join history_link link on link.parent = own.record
           )
           select id, stream from history_place
           where account = $2 and thread_at >= $3 and ($4::text is null or thread_at <= $4)
           union
           select p.id, p.stream from own join history_place p on p.record = own.record
           where p.group_name = 'reading' and p.owner is null
           order by stream`,
    values: [recordKey('user', userId), everyAccount, among?.since ?? null, among?.to ?? null],
  })
  const byStream = new Map<string, Set<string>>()
  for (const { id, stream } of rows) byStream.set(stream, (byStream.get(stream) ?? new Set()).add(id))
  return byStream
}

export interface OwnedMedia {
  id: string
  status: string
  mediaType: string | null
}

/** A flow's file belongs to the chats that received it. */
const ofContacts = `
  and (contact_id = any($4) or (contact_id is null and id in (
    select sent.content -> 'file' ->> 'id' from chat_message sent
    where sent.contact_id = any($4) and sent.owner = media.owner and sent.is_flow
  )))`

/** By id, optionally of some contacts. */
export async function* mediaOf(
  pool: Pool,
  tenant: string,
  contactIds: readonly string[] | null,
): AsyncGenerator<OwnedMedia> {
  let last = ''
  for (;;) {
    const { rows }: { rows: OwnedMedia[] } = await pool.query<OwnedMedia>({
      name: `media of ${contactIds ? 'contacts' : 'a tenant'}`,
      text: `select id, status, media_type as "mediaType" from media
             where owner = $1 and id > $2 ${contactIds ? ofContacts : ''}
             order by id limit $3`,
      values: [tenant, last, filesAtOnce, ...(contactIds ? [contactIds] : [])],
    })
    yield* rows
    if (rows.length < filesAtOnce) return
    last = rows.at(-1)?.id ?? last
  }
}
