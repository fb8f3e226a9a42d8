import type { tenantRecordKinds } from '@prosa/contracts/http/accounts/tenant-history'
import { type TenantHistoryKind, tenantHistoryKinds } from '@prosa/contracts/http/accounts/tenant-history'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { filtered, type ThreadsAsked, timeAmongAll, withBelongings } from '../queries.ts'
import { everyAccount, type PlacedCategory, passing, recordKey } from '../records.ts'
import type { TenantView } from './view.ts'

const categoriesOf: Readonly<Record<TenantHistoryKind, readonly PlacedCategory[]>> = {
  contact: ['contact'],
  run: ['flowRun'],
  flow: ['flow', 'flowFolder', 'defaultFlow', 'flowOrder', 'flowSecret'],
  label: ['label'],
  quickReply: ['quickReply'],
  hours: ['openingHours'],
  connection: ['connection'],
  company: ['company'],
  plan: ['subscription', 'order', 'kiwifySubscription', 'entitlement'],
  account: ['user', 'emailClaim', 'passwordReset', 'supportRequest', 'dataExport'],
  integration: ['apiKey', 'webhook', 'streamExport'],
  reading: ['tenantReading'],
}

export type TenantThreadsAsked = Pick<ThreadsAsked, 'actor' | 'from' | 'to' | 'before' | 'limit'> & {
  view: TenantView
  kind?: TenantHistoryKind | undefined
  record?: { kind: (typeof tenantRecordKinds)[number]; id: string } | undefined
}

export const viewOf = async (pool: Pool, tenantId: string): Promise<TenantView> => ({
  tenantId,
  records: await withBelongings(pool, [recordKey('user', tenantId)]),
})

const unplacedText = 'select exists (select from history_place where owner = $1 and category is null) as found'

/** Rows of an earlier release have no category until the rebuild, and no place in these lists. */
export const hasUnplacedRows = async (pool: Pool, tenantId: string): Promise<boolean> => {
  const { rows } = await pool.query<{ found: boolean }>({
    name: 'history of a tenant without categories',
    text: unplacedText,
    values: [tenantId],
  })
  return rows[0]?.found === true
}

const isPart = (kind: string): kind is 'run' | 'label' | 'quickReply' =>
  kind === 'run' || kind === 'label' || kind === 'quickReply'

/** A record with what belongs to it; of a stream that holds many, the events about one. */
const ofRecord = async (pool: Pool, asked: TenantThreadsAsked): Promise<BuiltQuery[]> => {
  const { record } = asked
  if (!record) return []
  if (isPart(record.kind)) return [filtered(build('history_place').where('part', `${record.kind}:${record.id}`), asked)]
  const keys = await withBelongings(pool, [recordKey(record.kind, record.id)])
  return [each('record', keys, asked, (rows) => rows)]
}

const each = (
  column: 'record' | 'category',
  values: readonly string[],
  asked: TenantThreadsAsked,
  narrowed: (rows: BuiltQuery) => BuiltQuery,
): BuiltQuery => {
  const rows = narrowed(build('history_place').whereRaw(`${column} = wanted.value collate "C"`))
  return build
    .select('found.thread')
    .from(
      build.raw('unnest(?::text[]) as wanted (value) cross join lateral ? as found', [
        [...values],
        filtered(rows, asked),
      ]),
    )
}

/** One index probe for each category, however much the tenant has. */
const ofEverything = async (pool: Pool, asked: TenantThreadsAsked): Promise<BuiltQuery[]> => {
  const { view, kind } = asked
  const kinds = kind === undefined ? tenantHistoryKinds : [kind]
  const categories = kinds.flatMap((each) => categoriesOf[each])
  const inKind = (rows: BuiltQuery) => rows.whereIn('category', categories)
  const ways = [
    each('category', categories, asked, (rows) => rows.where('owner', view.tenantId).whereNotIn('type', passing)),
    filtered(inKind(build('history_place').where('account', view.tenantId)), asked),
    each('record', view.records, asked, inKind),
  ]
  const among = kinds.includes('reading') ? await timeAmongAll(pool, view.tenantId) : undefined
  if (!among) return ways
  const readings = build('history_place').where('account', everyAccount).where('thread_at', '>=', among.since)
  return [...ways, filtered(readings, asked)]
}

/** Newest first. */
export const findTenantThreads = async (pool: Pool, asked: TenantThreadsAsked): Promise<string[]> => {
  const ways = asked.record ? await ofRecord(pool, asked) : await ofEverything(pool, asked)
  const query = build
    .distinct('thread')
    .from(build.unionAll(ways, true).as('found'))
    .orderBy('thread', 'desc')
    .limit(asked.limit)
  const { rows } = await pool.query<{ thread: string }>(built(query))
  return rows.map(({ thread }) => thread)
}

/** Of a contact of any tenant. */
export const isOwnContact = async (pool: Pool, tenantId: string, id: string): Promise<boolean> => {
  const { rows } = await pool.query<{ isOwn: boolean }>({
    name: 'whether a contact is of a tenant',
    text: 'select exists (select from history_place where record = $1 and owner = $2) as "isOwn"',
    values: [recordKey('contact', id), tenantId],
  })
  return rows[0]?.isOwn ?? false
}
