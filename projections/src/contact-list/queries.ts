import type { Contact, ContactCounts, Queue, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { type Successor, successorsOf, unknownMoment } from '@prosa/contracts/values/lines'
import { columnName, fieldsOf, selectList } from '@prosa/kernel/consumers/projections/table'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { findOwnConnections } from '../connections/queries.ts'
import { findExistingLabels } from '../labels/queries.ts'
import { mergedInto, shownContact } from './merged-contacts.ts'
import { type ContactRow, contactTable, waitingOrder } from './table.ts'

const columns = selectList(contactTable)

export interface ContactsAsked {
  tenant: string
  status?: ServiceStatus
  queue?: Queue
  /** In the form of `searchText`. */
  search?: string
  /** Deleted labels match nobody. */
  label?: string
  connectionId?: string
  /** `sortKey`: from `sortKeyOf` for the same queue. */
  after?: { sortKey: string; id: string }
  limit: number
}

/** `waitingOrder`, if they wait. */
export const sortKeyOf = (
  { personAskedAt, waitingSince, lastActivity }: Pick<Contact, 'personAskedAt' | 'waitingSince' | 'lastActivity'>,
  queue: Queue | undefined,
): string => {
  if (queue !== 'waiting') return lastActivity
  return personAskedAt === null ? (waitingSince ?? `~${lastActivity}`) : ` ${personAskedAt}`
}

/** Latest activity first, or as `waitingOrder`. Merged contacts match as their survivor. */
export const findContacts = async (
  pool: Pool,
  { tenant, status, queue, search, label, connectionId, after, limit }: ContactsAsked,
): Promise<Contact[]> => {
  const isWaiting = (queue ?? status) === 'waiting'
  const [column, side, order] = isWaiting
    ? [`(${waitingOrder}) collate "C"`, '>', 'asc']
    : ['last_activity', '<', 'desc']
  const list = build('contact_list').select(build.raw(columns)).where({ owner: tenant }).whereNull('absorbed_into')
  if (status) list.where('service_status', status)
  if (queue) inQueue(list, queue)
  if (search) list.where((found) => holding(found, search).orWhereIn('id', survivorsHolding(tenant, search)))
  if (label) labelled(list, tenant, label)
  const successors = await findSuccessors(pool, tenant)
  if (connectionId) answeredOver(list, connectionId, successors)
  if (after) list.whereRaw(`(${column}, id) ${side} (?, ?)`, [after.sortKey, after.id])
  list.orderByRaw(`${column} ${order}`).orderBy('id', order).limit(limit)
  const { rows } = await pool.query<ContactRow>(built(list))
  return withMerged(pool, tenant, rows, successors)
}

interface NextAsked {
  tenant: string
  except?: string | undefined
  label?: string | undefined
  connectionId?: string | undefined
}

export const findLongestWaiting = async (
  pool: Pool,
  { tenant, except, label, connectionId }: NextAsked,
): Promise<Contact | undefined> => {
  const list = build('contact_list').select(build.raw(columns)).where({ owner: tenant }).whereNull('absorbed_into')
  inQueue(list, 'waiting')
  if (except) list.whereNot('id', except)
  if (label) labelled(list, tenant, label)
  const successors = await findSuccessors(pool, tenant)
  if (connectionId) answeredOver(list, connectionId, successors)
  list.orderByRaw(`(${waitingOrder}) collate "C"`).orderBy('id').limit(1)
  const { rows } = await pool.query<ContactRow>(built(list))
  return (await withMerged(pool, tenant, rows, successors))[0]
}

/** Of the columns of `of`, e.g. `v.`. */
export const inQueue = (contacts: BuiltQuery, queue: Queue, of = ''): BuiltQuery => {
  if (queue !== 'waiting' && queue !== 'bot') return contacts.where(`${of}service_status`, queue)
  return contacts.whereRaw(
    `${of}service_status = 'waiting' and ${of}bot_since is ${queue === 'bot' ? 'not null' : 'null'}`,
  )
}

export interface CountedQueue {
  queue: Queue
  count: number
  asked: number
}

/** One row for each queue. */
export const queueCounts = (of = ''): string =>
  `case when ${of}service_status = 'waiting' and ${of}bot_since is not null then 'bot' else ${of}service_status end as queue,
   count(*)::int as count, count(${of}person_asked_at)::int as asked`

export const countsOf = (rows: readonly CountedQueue[]): ContactCounts => {
  const counts: ContactCounts = { waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 }
  for (const { queue, count, asked } of rows) {
    counts[queue] = count
    if (queue === 'waiting') counts.asked = asked
  }
  return counts
}

/** Matches the partial index. */
const labelled = (contacts: BuiltQuery, tenant: string, label: string) =>
  contacts
    .whereRaw(`labels @> ? and labels <> '[]'`, [JSON.stringify([label])])
    .whereExists(build('label').select(build.raw('1')).where({ id: label, owner: tenant }))

const findSuccessors = async (pool: Pool, tenant: string) => successorsOf(await findOwnConnections(pool, tenant))

/** `lineAmong` in SQL. */
export const answeredOver = (
  contacts: BuiltQuery,
  connectionId: string,
  successors: readonly Successor[],
  lines = 'lines',
): BuiltQuery => {
  // Keyed: comparing with 1,000 successors took seconds.
  const periods: Record<string, Successor[]> = {}
  for (const each of successors) {
    const known = periods[each.connectionId]
    if (known) known.push(each)
    else periods[each.connectionId] = [each]
  }
  return contacts.whereRaw(
    `(select s ->> 'target'
      from jsonb_array_elements(${lines}) with ordinality l (line, place)
      cross join jsonb_array_elements(?::jsonb -> (l.line ->> 'connectionId')) s
      where coalesce(nullif(l.line ->> 'at', ''), ?) >= (s ->> 'from') collate "C"
        and coalesce(nullif(l.line ->> 'at', ''), ?) < (s ->> 'until') collate "C"
      order by l.place desc limit 1) = ?`,
    [JSON.stringify(periods), unknownMoment, unknownMoment, connectionId],
  )
}

const holding = (contacts: BuiltQuery, text: string) => contacts.whereRaw('position(? in search) > 0', [text])

/** Survivors over any number of merges. */
const survivorsHolding = (tenant: string, text: string) =>
  build
    .withRecursive('before', (before) =>
      holding(before.select({ id: 'absorbed_into' }).from('contact_list'), text)
        .where({ owner: tenant })
        .whereNotNull('absorbed_into')
        .union((next) =>
          next
            .select('c.absorbed_into')
            .from('contact_list as c')
            .join('before', 'c.id', 'before.id')
            .where('c.owner', tenant)
            .whereNotNull('c.absorbed_into'),
        ),
    )
    .select('id')
    .from('before')

const withMerged = async (
  pool: Pool,
  tenant: string,
  rows: readonly ContactRow[],
  successors: readonly Successor[],
): Promise<Contact[]> => {
  const having = rows.filter(({ merged }) => merged.length > 0).map(({ id }) => id)
  const found = having.length > 0 ? await mergedContacts(pool, tenant, having) : []
  const labels = [...new Set(rows.flatMap((row) => row.labels))]
  const existingLabels = labels.length > 0 ? await findExistingLabels(pool, tenant, labels) : []
  return rows.map((row) =>
    shownContact(
      row,
      mergedInto(
        row,
        found.filter(({ root }) => root === row.id),
      ),
      existingLabels,
      successors,
    ),
  )
}

const memberColumns = fieldsOf(contactTable)
  .map((field) => `c.${columnName(field)} as "${field}"`)
  .join(', ')

/** Merged contacts, direct and indirect. */
const mergedContacts = async (pool: Pool, tenant: string, roots: readonly string[]) => {
  const { rows } = await pool.query<ContactRow & { root: string }>({
    name: 'merged contacts',
    text: `
      with recursive member (root, id) as (
        select root.id, c.id
        from contact_list root join contact_list c on c.absorbed_into = root.id and c.owner = $2
        where root.id = any($1) and root.owner = $2
        union
        select member.root, c.id
        from member join contact_list parent on parent.id = member.id
        join contact_list c on c.absorbed_into = parent.id and c.owner = $2
      )
      select member.root, ${memberColumns} from member join contact_list c on c.id = member.id`,
    values: [roots, tenant],
  })
  return rows
}

/** A merged contact gives its survivor. */
export const findContact = async (pool: Pool, tenant: string, id: string): Promise<Contact | undefined> => {
  const { rows } = await pool.query<ContactRow>({
    name: 'contact of tenant',
    text: `
      with recursive up (id, absorbed_into) as (
        select id, absorbed_into from contact_list where id = $1 and owner = $2
        union
        select c.id, c.absorbed_into from up join contact_list c on c.id = up.absorbed_into and c.owner = $2
      )
      select ${memberColumns} from up join contact_list c on c.id = up.id where c.absorbed_into is null`,
    values: [id, tenant],
  })
  return (await withMerged(pool, tenant, rows, await findSuccessors(pool, tenant)))[0]
}

export const countContacts = async (pool: Pool, tenant: string, connectionId?: string): Promise<ContactCounts> => {
  const counted = build('contact_list').select(build.raw(queueCounts()))
  counted.where({ owner: tenant }).whereNull('absorbed_into').groupByRaw('1')
  if (connectionId) answeredOver(counted, connectionId, await findSuccessors(pool, tenant))
  const { rows } = await pool.query<CountedQueue>({
    name: connectionId ? 'contact counts of a connection' : 'contact counts',
    ...built(counted),
  })
  return countsOf(rows)
}
