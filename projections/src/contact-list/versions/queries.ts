import type { ContactCounts, Queue, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Successor } from '@prosa/contracts/values/lines'
import { columnName, fieldsOf } from '@prosa/kernel/consumers/projections/table'
import type { Position } from '@prosa/kernel/event-store/port'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { answeredOver, type CountedQueue, countsOf, inQueue, queueCounts } from '../queries.ts'
import { waitingOrder } from '../table.ts'
import { type VersionRow, versionTable } from './table.ts'

const columns = fieldsOf(versionTable)
  .map((field) => `v.${columnName(field)} as "${field}"`)
  .join(', ')

/** A version of a contact that was not erased yet. */
export type Version = VersionRow & { serviceStatus: ServiceStatus }

export interface VersionsAsked {
  tenant: string
  moment: Position
  queue?: Queue | undefined
  label?: string | undefined
  /** Of replies, among the connections of that moment. */
  line?: { connectionId: string; successors: readonly Successor[] } | undefined
}

const newest = `cross join lateral (
  select * from contact_version v where v.contact_id = c.contact_id and v.owner = c.owner and not v.is_latest
    and v.position <= ? collate "C"
  order by v.position desc limit 1) v`

/** Newest at or before the moment of each contact that was listed then. */
const listedThen = (select: string, { tenant, moment, queue, label, line }: VersionsAsked): BuiltQuery => {
  const list = build
    .select(build.raw(select))
    .from(build.raw(`contact_version c ${newest}`, [moment]))
    .where('c.owner', tenant)
    .whereRaw('c.is_latest and v.service_status is not null and v.absorbed_into is null')
  if (queue) inQueue(list, queue, 'v.')
  if (label) list.whereRaw('v.labels @> ?', [JSON.stringify([label])])
  if (line) answeredOver(list, line.connectionId, line.successors, 'v.lines')
  return list
}

const orderOf = (queue: Queue | undefined) =>
  queue === 'waiting'
    ? {
        column: `(${waitingOrder.replaceAll(/person_asked_at|waiting_since|last_activity/g, 'v.$&')}) collate "C"`,
        side: '>',
        order: 'asc',
      }
    : { column: 'v.last_activity', side: '<', order: 'desc' }

/** In the order of `findContacts`. */
export const findVersions = async (
  pool: Pool,
  { after, limit, ...asked }: VersionsAsked & { after?: { sortKey: string; id: string } | undefined; limit: number },
): Promise<Version[]> => {
  const { column, side, order } = orderOf(asked.queue)
  const list = listedThen(columns, asked)
  if (after) list.whereRaw(`(${column}, v.contact_id) ${side} (?, ?)`, [after.sortKey, after.id])
  list.orderByRaw(`${column} ${order}, v.contact_id ${order}`).limit(limit)
  const { rows } = await pool.query<Version>(built(list))
  return rows
}

export const countVersions = async (pool: Pool, asked: VersionsAsked): Promise<ContactCounts> => {
  const counted = listedThen(queueCounts('v.'), asked).groupByRaw('1')
  const { rows } = await pool.query<CountedQueue>(built(counted))
  return countsOf(rows)
}

/** Newest at or before the moment, not erased by then. */
export const findVersionsOf = async (
  pool: Pool,
  tenant: string,
  moment: Position,
  contacts: readonly string[],
): Promise<Version[]> => {
  const found = build
    .select(build.raw(columns))
    .from(build.raw(`contact_version c ${newest}`, [moment]))
    .where('c.owner', tenant)
    .whereRaw('c.is_latest and v.service_status is not null and c.id = any(?)', [[...contacts]])
  const { rows } = await pool.query<Version>(built(found))
  return rows
}

/** Of contacts that were absorbed by one of these at any time up to the moment. */
const findEverAbsorbed = async (pool: Pool, tenant: string, moment: Position, into: readonly string[]) => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'contacts ever absorbed',
    text: `select distinct contact_id as id from contact_version
           where absorbed_into = any($1) and owner = $2 and not is_latest and position <= $3 collate "C"`,
    values: [into, tenant, moment],
  })
  return rows.map(({ id }) => id)
}

/** Of all that were merged into these, directly or not. */
export const findAbsorbedVersions = async (
  pool: Pool,
  tenant: string,
  moment: Position,
  survivors: readonly string[],
): Promise<Version[]> => {
  const all = new Map<string, Version>()
  let into = survivors
  while (into.length > 0) {
    const parents = new Set(into)
    const candidates = await findEverAbsorbed(pool, tenant, moment, into)
    const unknown = candidates.filter((id) => !all.has(id))
    const versions = unknown.length === 0 ? [] : await findVersionsOf(pool, tenant, moment, unknown)
    const absorbed = versions.filter(({ absorbedInto }) => absorbedInto !== null && parents.has(absorbedInto))
    for (const version of absorbed) all.set(version.contactId, version)
    into = absorbed.map(({ contactId }) => contactId)
  }
  return [...all.values()]
}
