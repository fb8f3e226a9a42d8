import type { ErasureRest } from '@prosa/contracts/http/administration/erasures'
import { columnName, fieldsOf } from '@prosa/kernel/consumers/projections/table'
import { build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { type TimelineRow, timelineTable } from '../history/timeline/table.ts'

/** Ends an account, a contact, or a buyer without an account; of an index of the timeline. */
export const erasingTypes = ['UserErased', 'ContactErased', 'BuyerErased'] as const

const columns = fieldsOf(timelineTable)
  .map((field) => `${columnName(field)}${field === 'revision' ? '::int' : ''} as "${field}"`)
  .join(', ')
const isErasure = `type in ('UserErased', 'ContactErased', 'BuyerErased') and depth = 0`

/** Without those that followed from another. Newest first. */
export const findErasures = async (
  pool: Pool,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<TimelineRow[]> => {
  const list = build('history_place').select(build.raw(columns)).whereRaw(isErasure)
  if (before !== undefined) list.whereRaw('place < ? collate "C"', [before])
  return (await pool.query<TimelineRow>(built(list.orderBy('place', 'desc').limit(limit)))).rows
}

export const findErasure = async (pool: Pool, id: string): Promise<TimelineRow | undefined> => {
  const one = build('history_place').select(build.raw(columns)).whereRaw(isErasure).where({ id })
  return (await pool.query<TimelineRow>(built(one))).rows[0]
}

/** Events of the same request but the erasure itself, by type. */
export const countFollowed = async (
  pool: Pool,
  erasures: readonly Pick<TimelineRow, 'id' | 'place' | 'correlationId'>[],
): Promise<Map<string, { type: string; count: number }[]>> => {
  const { rows } = await pool.query<{ id: string; type: string; count: number }>({
    name: 'events that followed erasures',
    text: `select asked.id, p.type, count(*)::int as count
           from unnest($1::text[], $2::text[], $3::text[]) as asked (id, correlation, place)
           join history_place p on p.correlation_id = asked.correlation collate "C" and p.place > asked.place collate "C"
           where p.group_name <> 'reading'
           group by asked.id, p.type order by 3 desc, 2`,
    values: [
      erasures.map(({ id }) => id),
      erasures.map(({ correlationId }) => correlationId),
      erasures.map(({ place }) => place),
    ],
  })
  const found = new Map<string, { type: string; count: number }[]>()
  for (const { id, type, count } of rows) found.set(id, [...(found.get(id) ?? []), { type, count }])
  return found
}

/** Contacts that a tenant ever had. */
const maxContacts = 200_000

export const findContactsOf = async (pool: Pool, tenant: string): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'contacts that a tenant had',
    text: `select distinct substr(stream, 9) as id from history_place
           where owner = $1 and stream >= 'contact-' and stream < 'contact.' limit $2`,
    values: [tenant, maxContacts],
  })
  return rows.map(({ id }) => id)
}

/** Of those subjects, how many have a key. */
export const countKeys = async (pool: Pool, subjects: readonly string[]): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'keys of subjects',
    text: `select count(*)::int as count from unnest($1::text[]) as asked (subject)
           join subject_key k on k.subject = asked.subject collate "C" and k.wrapped is not null`,
    values: [subjects],
  })
  return rows[0]?.count ?? 0
}

/** Shown apart: ids of events alone. */
const ofHistory = ['history_place', 'history_link']
/** Counts, sums and deadlines by an account's code: an erasure leaves them. */
const impersonal = [
  'account_usage',
  'analytic_subscription',
  // Without the password: sign-ins under way must fail.
  'current_credential',
  'plan_days',
  'tenant_spending',
  'timer',
]

/** Tables of this database whose index begins with the column: none is read from end to end. */
const findTables = async (pool: Pool, fields: readonly string[]): Promise<{ table: string; column: string }[]> => {
  const { rows } = await pool.query<{ table: string; column: string }>({
    name: 'tables indexed by a person',
    text: `select distinct c.relname as "table", a.attname as "column"
           from pg_index i
           join pg_class c on c.oid = i.indrelid and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
           join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
           where i.indpred is null and a.attname = any($1::name[]) and c.relname <> all($2::name[])
           order by 1, 2`,
    values: [fields, ofHistory],
  })
  return rows
}

export const countRows = async (pool: Pool, id: string, fields: readonly string[]): Promise<ErasureRest['tables']> => {
  const tables = await findTables(pool, fields)
  const left: ErasureRest['tables']['left'] = []
  for (const { table, column } of tables) {
    const counting = build(table).whereRaw('??::text = ?', [column, id]).count('* as count')
    const count = Number((await pool.query<{ count: string }>(built(counting))).rows[0]?.count ?? 0)
    if (count > 0) left.push({ table, count })
  }
  const isImpersonal = ({ table }: { table: string }) => impersonal.includes(table)
  return {
    checked: tables.length,
    left: left.filter((each) => !isImpersonal(each)),
    counts: left.filter(isImpersonal),
  }
}

export const countEvents = async (pool: Pool, record: string, tenant: string | null): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'events that an erasure leaves',
    text: `select count(*)::int as count from (
             select id from history_place where record = $1
             union select id from history_place where owner = $2
           ) as theirs`,
    values: [record, tenant],
  })
  return rows[0]?.count ?? 0
}

export const countCharges = async (pool: Pool, tenant: string): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'charges of an account',
    text: 'select count(*)::int as count from kiwify_transaction where owner = $1 and not is_hidden',
    values: [tenant],
  })
  return rows[0]?.count ?? 0
}
