import type { RefusedRequestRow } from '@prosa/contracts/http/administration/refused-requests'
import type { HistoryActor, HistoryGroup, HistoryRecordKind } from '@prosa/contracts/http/history'
import { allButReadings } from '@prosa/contracts/http/history'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import { columnName, fieldsOf } from '@prosa/kernel/consumers/projections/table'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { everyAccount, recordKey } from './records.ts'
import { ownRows, type TenantView } from './tenant/view.ts'
import { type TimelineRow, timelineTable } from './timeline/table.ts'

/** All lists together. */
export interface Scope {
  accounts: readonly string[]
  /** Keys, `order:<id>`. */
  records: readonly string[]
  correlations: readonly string[]
  events: readonly string[]
  /** Everything of these tenants, also what is of their contacts. */
  tenants?: readonly string[]
  /** Period in which events of every account concern this one. */
  everybodys?: { since: Instant; to: Instant | null } | undefined
}

export interface ThreadsAsked {
  scope?: Scope
  group?: HistoryGroup | typeof allButReadings
  actor?: { kind: HistoryActor['kind'] } | { account: string }
  /** Within what belongs to a tenant; its records by key. */
  within?: { tenant: string; records: readonly string[] }
  /** Start of threads; `to` is exclusive. */
  from?: Instant
  to?: Instant
  /** Newest first, before this one. */
  before?: string
  /** Oldest first instead: after the first one, up to the second one. */
  oldest?: { after: string; upTo: string }
  limit: number
  /** Only what a tenant may see. */
  view?: TenantView
}

/** Bounds index lookups per page. */
export const maxRecords = 500

/** With child records, such as an order's deliveries; the latest if too many. */
export const withBelongings = async (pool: Pool, records: readonly string[]): Promise<string[]> => {
  const { rows } = await pool.query<{ record: string }>({
    name: 'records that belong to records',
    text: `with recursive own (record, depth) as (
             select record collate "C", 0 from unnest($1::text[]) as asked (record)
             union
             select link.record, own.depth + 1 from own join history_link link on link.parent = own.record
             where own.depth < 3
           )
           select record from own order by depth limit $2`,
    values: [records, maxRecords],
  })
  return rows.map(({ record }) => record)
}

/** A list counts as read for this long, also for accounts that join meanwhile (docs/decisions/0059). */
const readingMs = 3_600_000

/** From its first thread until its erasure. */
export const timeAmongAll = async (pool: Pool, userId: string): Promise<Scope['everybodys']> => {
  const { rows } = await pool.query<{ since: Instant | null; to: Instant | null }>({
    name: 'time of an account',
    text: `select
             (select thread_at from history_place where account = $1 order by thread limit 1) as since,
             case when not exists (select from account where id = $1) then
               (select thread_at from history_place where account = $1 and group_name <> 'reading'
                order by thread desc limit 1)
             end as "to"`,
    values: [userId],
  })
  const [{ since = null, to = null } = {}] = rows
  return since === null ? undefined : { since: later(since, -readingMs), to }
}

/** Also contacts, connections and flows of the tenant, which its own timeline leaves out. */
export const scopeOfTenant = async (pool: Pool, tenant: string): Promise<Scope> => ({
  ...(await scopeOfRecord(pool, 'user', tenant)),
  tenants: [tenant],
})

export const scopeOfRecord = async (pool: Pool, kind: HistoryRecordKind, id: string): Promise<Scope> => ({
  accounts: kind === 'user' ? [id] : [],
  records: await withBelongings(pool, [recordKey(kind, id)]),
  correlations: [],
  events: [],
  everybodys: kind === 'user' ? await timeAmongAll(pool, id) : undefined,
})

const directionOf = ({ oldest }: ThreadsAsked) => (oldest ? 'asc' : 'desc')

const firstThreadSince = (moment: Instant) =>
  build.raw('(select thread from history_place where thread_at >= ? order by thread_at, thread limit 1)', [moment])

export const filtered = (places: BuiltQuery, asked: ThreadsAsked): BuiltQuery => {
  const { group, actor, within, from, to, before, oldest, limit, view } = asked
  if (within)
    places.whereRaw('(owner = ? or account = ? or record = any(?::text[]))', [
      within.tenant,
      within.tenant,
      [...within.records],
    ])
  if (group === allButReadings) places.whereNot('group_name', 'reading')
  else if (group) places.where('group_name', group)
  if (actor && 'kind' in actor) places.where('actor_kind', actor.kind)
  if (actor && 'account' in actor) places.where('actor_id', actor.account).whereRaw("actor_kind in ('user', 'admin')")
  if (from) places.whereRaw('thread >= ?', [firstThreadSince(from)])
  // Sorts after every position.
  if (to) places.whereRaw('thread < coalesce(?, chr(127)) collate "C"', [firstThreadSince(to)])
  if (before !== undefined) places.where('thread', '<', before)
  if (oldest) places.where('thread', '>', oldest.after).where('thread', '<=', oldest.upTo)
  if (view) places.whereRaw(ownRows('?', '?'), [view.tenantId, view.tenantId, [...view.records]])
  return places.distinct('thread').orderBy('thread', directionOf(asked)).limit(limit)
}

const by = (asked: ThreadsAsked, column: string, values: readonly string[]): BuiltQuery => {
  const places = filtered(build('history_place').whereRaw(`${column} = wanted.value collate "C"`), asked)
  return build
    .select('found.thread')
    .from(build.raw('unnest(?::text[]) as wanted (value) cross join lateral ? as found', [[...values], places]))
}

export const findThreads = async (pool: Pool, asked: ThreadsAsked): Promise<string[]> => {
  const { scope } = asked
  const ways: BuiltQuery[] = []
  if (scope) {
    if (scope.records.length > 0) ways.push(by(asked, 'record', scope.records))
    if (scope.accounts.length > 0) ways.push(by(asked, 'account', scope.accounts))
    if (scope.tenants && scope.tenants.length > 0) ways.push(by(asked, 'owner', scope.tenants))
    if (scope.everybodys) {
      const { since, to } = scope.everybodys
      const theirs = build('history_place').where('account', everyAccount).where('thread_at', '>=', since)
      if (to !== null) theirs.where('thread_at', '<=', to)
      ways.push(filtered(theirs, asked))
    }
    if (scope.correlations.length > 0) ways.push(by(asked, 'correlation_id', scope.correlations))
    if (scope.events.length > 0) ways.push(by(asked, 'id', scope.events))
    if (ways.length === 0) return []
  } else ways.push(filtered(build('history_place'), asked))
  const query = build
    .distinct('thread')
    .from(build.unionAll(ways, true).as('found'))
    .orderBy('thread', directionOf(asked))
    .limit(asked.limit)
  const { rows } = await pool.query<{ thread: string }>(built(query))
  return rows.map(({ thread }) => thread)
}

const columns = fieldsOf(timelineTable)
  .map((field) => `p.${columnName(field)}${field === 'revision' ? '::int' : ''} as "${field}"`)
  .join(', ')

/** In log order. */
export const findTimeline = async (
  pool: Pool,
  threads: readonly string[],
  max: number,
  view?: TenantView,
): Promise<TimelineRow[]> => {
  const { rows } = await pool.query<TimelineRow>({
    name: view ? 'own places of threads' : 'places of threads',
    text: `select e.* from unnest($1::text[]) as wanted (thread)
           cross join lateral (
             select ${columns} from history_place p
             where p.thread = wanted.thread collate "C" ${view ? `and ${ownRows('$3', '$4')}` : ''}
             order by p.place limit $2
           ) e`,
    values: [threads, max, ...viewed(view)],
  })
  return rows
}

/** Of one thread, after a position and up to another, in log order. */
export const findRestOfThread = async (
  pool: Pool,
  thread: string,
  { after, upTo, limit }: { after: string; upTo: string; limit: number },
): Promise<TimelineRow[]> => {
  const { rows } = await pool.query<TimelineRow>({
    name: 'rest of a thread',
    text: `select ${columns} from history_place p
           where p.thread = $1 and p.place > $2 collate "C" and p.place <= $3 collate "C" order by p.place limit $4`,
    values: [thread, after, upTo, limit],
  })
  return rows
}

const viewed = (view: TenantView | undefined) => (view ? [view.tenantId, view.records] : [])

export const countPlaces = async (
  pool: Pool,
  threads: readonly string[],
  view?: TenantView,
): Promise<Map<string, number>> => {
  if (threads.length === 0) return new Map()
  const { rows } = await pool.query<{ thread: string; count: number }>({
    name: view ? 'number of own places of threads' : 'number of places of threads',
    text: `select thread, count(*)::int as count from history_place
           where thread = any($1) ${view ? `and ${ownRows('$2', '$3')}` : ''} group by thread`,
    values: [threads, ...viewed(view)],
  })
  return new Map(rows.map(({ thread, count }) => [thread, count]))
}

export const findTimelineOfEvents = async (pool: Pool, ids: readonly string[]): Promise<TimelineRow[]> => {
  if (ids.length === 0) return []
  const { rows } = await pool.query<TimelineRow>({
    name: 'places of events',
    text: `select ${columns} from history_place p where p.id = any($1)`,
    values: [ids],
  })
  return rows
}

/** By id. */
export const findNames = async (
  pool: Pool,
  ids: {
    accounts: readonly string[]
    contacts: readonly string[]
    connections: readonly string[]
    orders: readonly string[]
    plans: readonly string[]
    labels: readonly string[]
    fields: readonly string[]
    flows: readonly string[]
    folders: readonly string[]
    keys: readonly string[]
  },
): Promise<
  {
    kind: 'user' | 'contact' | 'connection' | 'order' | 'plan' | 'label' | 'field' | 'flow' | 'folder' | 'key'
    id: string
    name: string
  }[]
> => {
  const { rows } = await pool.query({
    name: 'names in a timeline',
    text: `select 'user' as kind, id, first_name || ' ' || last_name as name from account where id = any($1)
           union all
           select 'contact', id, coalesce(name, phone) from contact_list where id = any($2) and coalesce(name, phone) is not null
           union all
           select 'connection', id, name from connection where id = any($3) and not is_removed
           union all
           select 'plan', id, plan_name from plan where id = any($5)
           union all
           select 'label', id, name from label where id = any($6)
           union all
           select 'field', id, name from contact_field where id = any($10)
           union all
           select 'flow', id, name from flow where id = any($7)
           union all
           select 'folder', id, name from flow_folder where id = any($8)
           union all
           select 'key', id, name from api_key where id = any($9)
           union all
           select 'order', substr(record, 7), reference from history_link
           where record = any($4) and reference is not null`,
    values: [
      ids.accounts,
      ids.contacts,
      ids.connections,
      ids.orders.map((id) => recordKey('order', id)),
      ids.plans,
      ids.labels,
      ids.flows,
      ids.folders,
      ids.keys,
      ids.fields,
    ],
  })
  return rows
}

/** The message that reopened a conversation: contacts change first, then the chat. */
export const findNextMessage = async (
  pool: Pool,
  contactId: string,
  after: string,
): Promise<{ sentAt: Instant; connectionId: string | null } | undefined> => {
  const { rows } = await pool.query<{ sentAt: Instant; connectionId: string | null }>({
    name: 'message after a place',
    text: `select timestamp as "sentAt", connection_id as "connectionId" from chat_message
           where contact_id = $1 and place > $2 and sender = 'contact' order by place limit 1`,
    values: [contactId, after],
  })
  return rows[0]
}

/** Messages of all tenants since the drop, at most. */
const maxSinceDrop = 20_000

/** What was written over a line while it was down, and came later; `onPhone`: files that were not fetched. */
export const findMissedMessages = async (
  pool: Pool,
  asked: { connectionId: string; tenant: string | null; after: string; from: Instant; to: Instant },
): Promise<{ arrived: number; onPhone: number; isPartial: boolean }> => {
  const { rows } = await pool.query<{ arrived: number; onPhone: number; isPartial: boolean }>({
    name: 'messages while a line was down',
    text: `with since as (
             select * from chat_message where place > $1 order by place limit ${maxSinceDrop}
           )
           select count(*) filter (where missed)::int as arrived,
             count(*) filter (where missed and content ? 'file'
               and not exists (select from media where id = content -> 'file' ->> 'id' and status = 'ready'))::int as "onPhone",
             count(*) = ${maxSinceDrop} as "isPartial"
           from (select content, owner = $2 and connection_id = $3 and (sender = 'contact' or sent_elsewhere)
                   and timestamp between $4 and $5 as missed from since) found`,
    values: [asked.after, asked.tenant, asked.connectionId, asked.from, asked.to],
  })
  return rows[0] ?? { arrived: 0, onPhone: 0, isPartial: false }
}

/** The contact, or one merged into it, in whose chat the message is. */
export const findChatOfMessage = async (
  pool: Pool,
  contactId: string,
  messageId: string,
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ contactId: string }>({
    name: 'chat of a message',
    text: `select m.contact_id as "contactId" from chat_message m
           where m.key in (
             select chat || ':' || $2 from (
               select $1::text as chat
               union all
               select each ->> 'id' from contact_list c, jsonb_array_elements(c.merged) each where c.id = $1
             ) chats)`,
    values: [contactId, messageId],
  })
  return rows[0]?.contactId
}

type RefusedRow = Omit<RefusedRequestRow, 'account' | 'command' | 'reason'> & {
  refusal: string
  accountId: string | null
  accountName: string | null
}

const maxRefused = 200

/** Latest first; accounts that are gone have no name. */
export const findRefused = async (
  pool: Pool,
  user: string | undefined,
  { address, from, to }: { address?: string | undefined; from?: string | undefined; to?: string | undefined },
): Promise<RefusedRow[]> => {
  const { rows } = await pool.query<Omit<RefusedRow, 'count'> & { count: string }>({
    name: 'refused requests',
    text: `select r.day, nullif(r.account, '') as "accountId", a.first_name || ' ' || a.last_name as "accountName", r.route,
             r.refusal, nullif(r.address, '') as address, r.count::text as count, r.first_at as "firstAt", r.last_at as "lastAt"
           from refused_request r left join account a on a.id = r.account
           where ($1::text is null or r.account = $1)
             and ($3::text is null or r.day >= $3) and ($4::text is null or r.day <= $4)
             and ($5::text is null or starts_with(r.address, $5))
           order by r.last_at desc, r.route, r.refusal, r.address limit $2`,
    values: [user ?? null, maxRefused, from ?? null, to ?? null, address?.toUpperCase() ?? null],
  })
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
