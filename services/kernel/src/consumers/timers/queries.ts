import type { Instant } from '@prosa/contracts/values/instant'
import type { Pool, PoolClient } from 'pg'
import type { Json } from '../../json.ts'
import { timerChannel } from './table.ts'
import type { Timer } from './timer.ts'

export interface ClaimedTimer extends Timer {
  attempts: number
  /** Its parked work during a retry. */
  workId: string | null
}

interface TimerRow extends Omit<ClaimedTimer, 'dueAt'> {
  dueAt: Date
}

const columns = `kind, key, due_at as "dueAt", payload, owner as tenant, event_id as "eventId", correlation_id as "correlationId",
  attempts, work_id as "workId"`

export const isBuilt = async (db: PoolClient, name: string, version: number): Promise<boolean> => {
  const { rowCount } = await db.query('select from checkpoint where name = $1 and version = $2', [name, version])
  return rowCount === 1
}

export const dropTimers = async (db: PoolClient, kind: string): Promise<void> => {
  await db.query('delete from timer where kind = $1', [kind])
  await setLive(db, kind, false)
}

export const setLive = async (db: PoolClient, kind: string, isLive: boolean): Promise<void> => {
  await db.query(
    'insert into timer_kind (kind, is_live) values ($1, $2) on conflict (kind) do update set is_live = excluded.is_live',
    [kind, isLive],
  )
}

/** Returns their parked work, which ends with a rewrite. Waits for firing timers. */
export const lockTimers = async (db: PoolClient, kind: string, keys: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ work_id: string | null }>(
    'select work_id from timer where kind = $1 and key = any($2) order by key for update',
    [kind, keys],
  )
  return rows.flatMap(({ work_id }) => work_id ?? [])
}

/** Moves those of the same key; notifies on commit. */
export const upsertTimers = async (db: PoolClient, kind: string, timers: readonly Timer[]): Promise<void> => {
  await db.query(
    `insert into timer (kind, key, due_at, payload, owner, event_id, correlation_id, try_at)
     select $1, key, due_at, payload, owner, event_id, correlation_id, due_at
     from unnest($2::text[], $3::timestamptz[], $4::jsonb[], $5::text[], $6::uuid[], $7::text[])
       as new (key, due_at, payload, owner, event_id, correlation_id)
     on conflict (kind, key) do update set
       due_at = excluded.due_at, payload = excluded.payload, owner = excluded.owner, event_id = excluded.event_id,
       correlation_id = excluded.correlation_id, try_at = excluded.try_at, attempts = 0, is_parked = false, work_id = null`,
    [
      kind,
      timers.map(({ key }) => key),
      timers.map(({ dueAt }) => dueAt),
      timers.map(({ payload }) => JSON.stringify(payload)),
      timers.map(({ tenant }) => tenant),
      timers.map(({ eventId }) => eventId),
      timers.map(({ correlationId }) => correlationId),
    ],
  )
  await db.query('select pg_notify($1, $2)', [timerChannel, kind])
}

export const deleteTimers = async (db: PoolClient, kind: string, keys: readonly string[]): Promise<void> => {
  await db.query('delete from timer where kind = $1 and key = any($2)', [kind, keys])
}

/** Longest due first; locked until the transaction ends. */
export const claimDue = async (
  db: PoolClient,
  kinds: readonly string[],
  now: Instant,
  limit: number,
): Promise<ClaimedTimer[]> => {
  const { rows } = await db.query<TimerRow>(
    `select ${columns} from timer
     where kind = any($1) and not is_parked and try_at <= $2
       and kind in (select kind from timer_kind where is_live)
     order by try_at limit $3 for update skip locked`,
    [kinds, now, limit],
  )
  return rows.map(({ dueAt, payload, ...row }) => ({ ...row, payload: payload as Json, dueAt: dueAt.toISOString() }))
}

export const nextDue = async (db: Pool, kinds: readonly string[], now: Instant): Promise<Instant | undefined> => {
  const { rows } = await db.query<{ next: Date | null }>(
    'select min(try_at) as next from timer where kind = any($1) and not is_parked and try_at > $2',
    [kinds, now],
  )
  return rows[0]?.next?.toISOString()
}

export const postpone = async (
  db: PoolClient,
  { kind, key }: Pick<Timer, 'kind' | 'key'>,
  tryAt: Instant,
  attempts: number,
): Promise<void> => {
  await db.query('update timer set try_at = $3, attempts = $4 where kind = $1 and key = $2', [
    kind,
    key,
    tryAt,
    attempts,
  ])
}

export const parkTimer = async (
  db: PoolClient,
  { kind, key }: Pick<Timer, 'kind' | 'key'>,
  workId: string,
): Promise<void> => {
  await db.query('update timer set is_parked = true, work_id = $3 where kind = $1 and key = $2', [kind, key, workId])
}

/** Due again from `now`; false if not parked. */
export const unparkTimer = async (db: PoolClient, workId: string, now: Instant): Promise<boolean> => {
  const { rowCount } = await db.query(
    'update timer set is_parked = false, attempts = 0, try_at = $2 where work_id = $1 and is_parked',
    [workId, now],
  )
  return rowCount === 1
}

export const deleteParkedTimer = async (db: PoolClient, workId: string): Promise<void> => {
  await db.query('delete from timer where work_id = $1', [workId])
}
