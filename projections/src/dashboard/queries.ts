import type { Activity, DashboardDay, DashboardHour } from '@prosa/contracts/http/dashboard'
import { daysAfter, daysBetween } from '@prosa/contracts/values/time/period'
import type { Pool } from 'pg'

/** Both inclusive. */
export interface PeriodAsked {
  tenant: string
  timeZone: string
  from: string
  to: string
}

export interface PeriodFound {
  days: DashboardDay[]
  /** Null for more than one day. */
  hours: DashboardHour[] | null
  total: Activity
  /** As many days before `from`. */
  before: Activity
}

/** In UTC, comparable as text: '2026-11-16T03:00:00'. */
const beginningOf = (parameter: number) =>
  `to_char(($${parameter}::date::timestamp at time zone $2) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`

/** PostgreSQL's names of what is counted together, in local time. */
const formats = { day: 'YYYY-MM-DD', hour: 'HH24' } as const
type Unit = keyof typeof formats

const partOf = (unit: Unit, moment: string) => `to_char((${moment})::timestamptz at time zone $2, '${formats[unit]}')`

const trafficText = (unit: Unit) => `
  select ${partOf(unit, `hour || ':00Z'`)} as part,
         sum(received)::int as received, sum(sent)::int as sent, sum(resolved)::int as resolved
  from hourly_activity
  where owner = $1 and hour >= left(${beginningOf(3)}, 13) and hour < left(${beginningOf(4)}, 13)
  group by 1`

const contactsText = (unit: Unit) => `
  select ${partOf(unit, 'added_at')} as part, count(*)::int as contacts
  from conversation_wait
  where owner = $1 and added_at >= ${beginningOf(3)} and added_at < ${beginningOf(4)} and not is_absorbed
  group by 1`

/** By part; null: whole periods, split at $5. */
const waitsText = (unit: Unit) => `
  select part, is_current as "isCurrent", count(*)::int as accepted,
         percentile_cont(0.5) within group (order by waited_seconds) as "medianWaitSeconds"
  from (
    select ${partOf(unit, 'accepted_at')} as part, accepted_at >= ${beginningOf(5)} as is_current, waited_seconds
    from conversation_wait
    where owner = $1 and accepted_at >= ${beginningOf(3)} and accepted_at < ${beginningOf(4)}
  ) as acceptance
  group by grouping sets ((part, is_current), (is_current))`

type Traffic = Pick<Activity, 'received' | 'sent' | 'resolved'>
type Waits = Pick<Activity, 'accepted' | 'medianWaitSeconds'>

const noTraffic: Traffic = { received: 0, sent: 0, resolved: 0 }
const noWaits: Waits = { accepted: 0, medianWaitSeconds: null }

interface Parts {
  at(part: string): Activity
  total: Waits
  before: Waits
}

/** `values`: tenant, time zone, first day, day after the last, day at which the compared period ends. */
const readParts = async (pool: Pool, unit: Unit, values: readonly string[]): Promise<Parts> => {
  const bounds = values.slice(0, 4)
  const [traffic, contacts, waits] = await Promise.all([
    pool.query<Traffic & { part: string }>({
      name: `dashboard traffic by ${unit}`,
      text: trafficText(unit),
      values: bounds,
    }),
    pool.query<{ part: string; contacts: number }>({
      name: `dashboard contacts by ${unit}`,
      text: contactsText(unit),
      values: bounds,
    }),
    pool.query<Waits & { part: string | null; isCurrent: boolean }>({
      name: `dashboard waits by ${unit}`,
      text: waitsText(unit),
      values: [...values],
    }),
  ])
  const trafficOf = new Map(traffic.rows.map(({ part, ...counts }) => [part, counts]))
  const contactsOf = new Map(contacts.rows.map(({ part, contacts: count }) => [part, count]))
  const waitsOf = new Map(
    waits.rows.map(({ part, isCurrent, ...found }) => [part ?? (isCurrent ? 'total' : 'before'), found]),
  )
  return {
    at: (part) => ({
      ...(trafficOf.get(part) ?? noTraffic),
      ...(waitsOf.get(part) ?? noWaits),
      contacts: contactsOf.get(part) ?? 0,
    }),
    total: waitsOf.get('total') ?? noWaits,
    before: waitsOf.get('before') ?? noWaits,
  }
}

const sumOf = (days: readonly Activity[], waits: Waits): Activity => {
  const sum = (count: 'received' | 'sent' | 'resolved' | 'contacts') =>
    days.reduce((total, each) => total + each[count], 0)
  return {
    ...{ received: sum('received'), sent: sum('sent'), resolved: sum('resolved'), contacts: sum('contacts') },
    ...waits,
  }
}

/** An hour that a change of the clock repeats is one, and one that it leaves out is zero. */
const readHours = async (pool: Pool, { tenant, timeZone, from }: PeriodAsked): Promise<DashboardHour[]> => {
  const parts = await readParts(pool, 'hour', [tenant, timeZone, from, daysAfter(from, 1), from])
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...parts.at(String(hour).padStart(2, '0')) }))
}

export const readPeriod = async (pool: Pool, asked: PeriodAsked): Promise<PeriodFound> => {
  const { tenant, timeZone, from, to } = asked
  const length = daysBetween(from, to)
  const [parts, hours] = await Promise.all([
    readParts(pool, 'day', [tenant, timeZone, daysAfter(from, -length), daysAfter(to, 1), from]),
    length === 1 ? readHours(pool, asked) : null,
  ])
  const daysFrom = (first: string) =>
    Array.from({ length }, (_, index): DashboardDay => {
      const day = daysAfter(first, index)
      return { day, ...parts.at(day) }
    })
  const days = daysFrom(from)
  return {
    ...{ days, hours },
    total: sumOf(days, parts.total),
    before: sumOf(daysFrom(daysAfter(from, -length)), parts.before),
  }
}
