import type { PublishedConnectionDay } from '@prosa/contracts/published/tables/connections'
import type { Instant } from '@prosa/contracts/values/instant'
import { type Day, saoPauloDay } from '@prosa/contracts/values/time/sao-paulo'
import { prepared, selectList } from '@prosa/kernel/consumers/projections/table'
import type { Pool } from 'pg'
import type { AnalyticTable, Asked, Showing } from '../analytic-table.ts'
import { type AnalyticConnectionRow, analyticConnectionTable } from './table.ts'

interface Online {
  from: Instant
  /** Null: still. */
  until: Instant | null
  isInterruption: boolean
}

export interface Observed {
  addedAt: Instant
  removedAt: Instant | null
  online: readonly Online[]
}

export interface ObservedDay {
  day: string
  observedSeconds: number
  onlineSeconds: number
  interruptions: number
  isComplete: boolean
  updatedAt: Instant
}

const lengthMs = (from: Instant, until: Instant) => Math.max(0, Date.parse(until) - Date.parse(from))
const later = (one: Instant, other: Instant) => (one > other ? one : other)
const sooner = (one: Instant, other: Instant) => (one < other ? one : other)
const seconds = (ms: number) => Math.round(ms / 1000)

const dayOf = ({ addedAt, removedAt, online }: Observed, day: Day, now: Instant): ObservedDay => {
  const [from, end] = [later(day.from, addedAt), sooner(day.until, removedAt ?? now)]
  const inside = online.filter((each) => each.from < end && (each.until ?? now) > from)
  const isComplete = day.until <= now || (removedAt !== null && removedAt <= now)
  return {
    day: day.name,
    observedSeconds: seconds(lengthMs(from, end)),
    onlineSeconds: seconds(
      inside.reduce((sum, each) => sum + lengthMs(later(each.from, from), sooner(each.until ?? now, end)), 0),
    ),
    interruptions: online.filter(
      ({ until, isInterruption }) => isInterruption && until !== null && until >= day.from && until < day.until,
    ).length,
    isComplete,
    updatedAt: isComplete ? sooner(day.until, removedAt ?? now) : now,
  }
}

/** Days of São Paulo in which it existed, from the one of `from` on. */
export function* daysOf(observed: Observed, from: Instant, now: Instant): Generator<ObservedDay> {
  const last = sooner(observed.removedAt ?? now, now)
  let day = saoPauloDay(later(from, observed.addedAt))
  while (day.from <= last) {
    yield dayOf(observed, day, now)
    day = saoPauloDay(day.until)
  }
}

const connectionsText = `
  select ${selectList(analyticConnectionTable)} from analytic_connection
  where owner = $1 and added_at is not null order by added_at, key`

/** Times online that touch the days from $3 on. */
const onlineText = `
  select online_from as "from", online_until as "until", is_interruption as "isInterruption"
  from analytic_connection
  where connection_id = $2 and owner = $1 and online_from is not null and (online_until is null or online_until >= $3)
  order by online_from`

/** The first moment whose days an event after $3 may have changed. */
const changedText = `
  select min(coalesce(online_from, removed_at, added_at)) as "from" from analytic_connection
  where connection_id = $2 and owner = $1 and position > $3`

const firstDay = async (pool: Pool, { key, addedAt }: AnalyticConnectionRow, asked: Asked): Promise<Instant> => {
  const { tenant, after, afterTime } = asked
  if (afterTime === undefined || addedAt === null) return addedAt ?? ''
  const { rows } = await pool.query<{ from: Instant | null }>({
    ...prepared(changedText),
    values: [tenant, key, after],
  })
  return sooner(afterTime, rows[0]?.from ?? afterTime)
}

/** Its days change with time too: all that were not over at the answer before come again. */
export const connectionDays: AnalyticTable = {
  readModel: 'analytic-connections',
  async *rows(pool: Pool, asked: Asked) {
    const { tenant, now, withPersonal, updatedSince = '', updatedBefore = '~' } = asked
    const { rows } = await pool.query<AnalyticConnectionRow>({ ...prepared(connectionsText), values: [tenant] })
    const names = withPersonal ? await namesOf(pool, tenant) : new Map<string, string>()
    for (const row of rows) {
      const from = await firstDay(pool, row, asked)
      const online = await pool.query<Online>({
        ...prepared(onlineText),
        values: [tenant, row.key, saoPauloDay(from).from],
      })
      const observed = { addedAt: row.addedAt ?? '', removedAt: row.removedAt, online: online.rows }
      const days = [...daysOf(observed, from, now)].filter(
        ({ updatedAt }) => updatedAt >= updatedSince && updatedAt < updatedBefore,
      )
      const name = names.get(row.key) ?? null
      yield days.map((day) => ({ show: (showing) => shownDay(row, day, name, showing) }))
    }
  },
}

const namesOf = async (pool: Pool, tenant: string): Promise<Map<string, string>> => {
  const { rows } = await pool.query<{ id: string; name: string }>(
    `select id, name from connection where owner = $1 and not is_removed`,
    [tenant],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const shownDay = (
  { tenant, connectionId, network }: AnalyticConnectionRow,
  day: ObservedDay,
  name: string | null,
  { id, withPersonal }: Showing,
): PublishedConnectionDay => ({
  id: id('connection', connectionId),
  tenant: id('account', tenant),
  day: day.day,
  network,
  observedSeconds: day.observedSeconds,
  onlineSeconds: day.onlineSeconds,
  interruptions: day.interruptions,
  isComplete: day.isComplete,
  updatedAt: day.updatedAt,
  ...(withPersonal && { name }),
})
