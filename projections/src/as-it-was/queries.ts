import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Category } from '@prosa/contracts/streams'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Pool } from 'pg'

export interface MarkFound {
  position: Position
  at: string
}

/** In log order. */
export const findMarks = async (
  pool: Pool,
  {
    tenant,
    contactId,
    moment,
    eachSide,
  }: { tenant: string; contactId?: string | undefined; moment: Position; eachSide: number },
): Promise<MarkFound[]> => {
  const own = `from contact_version where owner = $1 and not is_latest${contactId === undefined ? '' : ' and contact_id = $4'}`
  const { rows } = await pool.query<MarkFound>({
    text: `(select position, at ${own} and position <= $2 collate "C" order by position desc limit $3)
           union all (select position, at ${own} and position > $2 collate "C" order by position limit $3)
           order by position`,
    values: [tenant, moment, eachSide, ...(contactId === undefined ? [] : [contactId])],
  })
  return rows
}

export interface ChangedContact {
  id: string
  name: string | null
  before: ServiceStatus | null
  after: ServiceStatus | null
}

/** Contacts whose status is another now. `name`: today's, or the number. */
export const findChanges = async (
  pool: Pool,
  tenant: string,
  moment: Position,
  limit: number,
): Promise<{ contacts: ChangedContact[]; total: number }> => {
  const { rows } = await pool.query<ChangedContact & { total: number }>({
    text: `with state as (
             select c.contact_id as id, c.position,
               case when v.absorbed_into is null then v.service_status end as before,
               case when c.absorbed_into is null then c.service_status end as after
             from contact_version c
             left join lateral (
               select absorbed_into, service_status from contact_version v
               where v.contact_id = c.contact_id and v.owner = c.owner and not v.is_latest and v.position <= $2 collate "C"
               order by v.position desc limit 1) v on true
             where c.owner = $1 and c.is_latest and c.position > $2 collate "C")
           select s.id, coalesce(l.name, l.phone) as name, s.before, s.after, count(*) over ()::int as total
           from state s left join contact_list l on l.id = s.id and l.owner = $1
           where s.before is distinct from s.after order by s.position desc limit $3`,
    values: [tenant, moment, limit],
  })
  return { contacts: rows.map(({ total: _, ...contact }) => contact), total: rows[0]?.total ?? 0 }
}

/** Streams of a category with events of a part, as `run:<id>`; not those of contacts that a label was put on. */
export const findStreamsOfPart = async (pool: Pool, part: string, category: Category): Promise<string[]> => {
  const { rows } = await pool.query<{ stream: string }>({
    name: 'streams of a part',
    text: 'select distinct stream from history_place where part = $1 and category = $2',
    values: [part, category],
  })
  return rows.map(({ stream }) => stream)
}
