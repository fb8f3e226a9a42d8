import type { Instant } from '@prosa/contracts/values/instant'
import type { Pool } from 'pg'
import type { Position } from '../event-store/port.ts'
import { withTimeout } from '../postgres/with-timeout.ts'

/** Throws on no answer. */
export const askDatabase = async (pool: Pool): Promise<void> => {
  await pool.query(withTimeout('select 1'))
}

export interface TimerCounts {
  kind: string
  set: number
  due: number
  /** Delay of the oldest due timer; 0 without one. */
  lateSeconds: number
}

/** Without parked timers; kinds without timers are absent. */
export const timerCounts = async (pool: Pool, now: Instant): Promise<TimerCounts[]> => {
  const text = `
    select kind, count(*)::int as set, (count(*) filter (where due_at <= $1))::int as due,
      greatest(0, extract(epoch from $1::timestamptz - min(due_at)))::float as "lateSeconds"
    from timer where not is_parked group by kind`
  return (await pool.query<TimerCounts>(withTimeout(text, now))).rows
}

export const furthestCheckpoint = async (pool: Pool): Promise<Position | undefined> => {
  const { rows } = await pool.query<{ position: Position | null }>(
    withTimeout('select max(position) as position from checkpoint'),
  )
  return rows[0]?.position ?? undefined
}
