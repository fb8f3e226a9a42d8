import type { Activity, DashboardDay } from '@prosa/contracts/http/dashboard'
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
  total: Activity
  /** As many days before `from`. */
  before: Activity
}

/** In UTC, comparable as text: '2026-11-16T03:00:00'. */
const beginningOf = (parameter: number) =>
  `to_char(($${parameter}::date::timestamp at time zone $2) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`
const dayOf = (moment: string) => `to_char((${moment})::timestamptz at time zone $2, 'YYYY-MM-DD')`

const trafficText = `
  select ${dayOf(`hour || ':00Z'`)} as day,
         sum(received)::int as received, sum(sent)::int as sent, sum(resolved)::int as resolved
  from hourly_activity
  where owner = $1 and hour >= left(${beginningOf(3)}, 13) and hour < left(${beginningOf(4)}, 13)
  group by 1`

const contactsText = `
  select ${dayOf('added_at')} as day, count(*)::int as contacts
  from conversation_wait
  where owner = $1 and added_at >= ${beginningOf(3)} and added_at < ${beginningOf(4)} and not is_absorbed
  group by 1`

/** By day; null: whole periods, split at $5. */
const waitsText = `
  select day, is_current as "isCurrent", count(*)::int as accepted,
         percentile_cont(0.5) within group (order by waited_seconds) as "medianWaitSeconds"
  from (
    select ${dayOf('accepted_at')} as day, accepted_at >= ${beginningOf(5)} as is_current, waited_seconds
    from conversation_wait
    where owner = $1 and accepted_at >= ${beginningOf(3)} and accepted_at < ${beginningOf(4)}
  ) as acceptance
  group by grouping sets ((day, is_current), (is_current))`

type Traffic = Pick<Activity, 'received' | 'sent' | 'resolved'>
type Waits = Pick<Activity, 'accepted' | 'medianWaitSeconds'>

const noTraffic: Traffic = { received: 0, sent: 0, resolved: 0 }
const noWaits: Waits = { accepted: 0, medianWaitSeconds: null }

export const readPeriod = async (pool: Pool, { tenant, timeZone, from, to }: PeriodAsked): Promise<PeriodFound> => {
  const length = daysBetween(from, to)
  const values = [tenant, timeZone, daysAfter(from, -length), daysAfter(to, 1)]
  const [traffic, contacts, waits] = await Promise.all([
    pool.query<Traffic & { day: string }>({ name: 'dashboard traffic', text: trafficText, values }),
    pool.query<{ day: string; contacts: number }>({ name: 'dashboard contacts', text: contactsText, values }),
    pool.query<Waits & { day: string | null; isCurrent: boolean }>({
      name: 'dashboard waits',
      text: waitsText,
      values: [...values, from],
    }),
  ])
  const trafficByDay = new Map(traffic.rows.map(({ day, ...counts }) => [day, counts]))
  const contactsByDay = new Map(contacts.rows.map(({ day, contacts: count }) => [day, count]))
  const waitsByDay = new Map(
    waits.rows.map(({ day, isCurrent, ...found }) => [day ?? (isCurrent ? 'total' : 'before'), found]),
  )
  const dayFrom = (first: string) =>
    Array.from({ length }, (_, index): DashboardDay => {
      const day = daysAfter(first, index)
      const counts = { ...(trafficByDay.get(day) ?? noTraffic), ...(waitsByDay.get(day) ?? noWaits) }
      return { day, ...counts, contacts: contactsByDay.get(day) ?? 0 }
    })
  const sumOf = (days: readonly DashboardDay[], found: Waits = noWaits): Activity => {
    const sum = (count: 'received' | 'sent' | 'resolved' | 'contacts') =>
      days.reduce((total, each) => total + each[count], 0)
    return {
      ...{ received: sum('received'), sent: sum('sent'), resolved: sum('resolved'), contacts: sum('contacts') },
      ...found,
    }
  }
  const days = dayFrom(from)
  return {
    days,
    total: sumOf(days, waitsByDay.get('total')),
    before: sumOf(dayFrom(daysAfter(from, -length)), waitsByDay.get('before')),
  }
}
