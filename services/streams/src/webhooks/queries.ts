import type { WebhookAttempt, WebhookCall } from '@prosa/contracts/http/webhooks'
import type { Instant } from '@prosa/contracts/values/instant'
import { type WebhookCallStatus, webhookTestType } from '@prosa/contracts/values/webhook'
import { later } from '@prosa/kernel/clock'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Pool, PoolClient } from 'pg'

/** An event that is due to a webhook. */
export interface QueuedCall {
  webhookId: string
  eventId: string
  tenant: string
  position: Position
  /** Null for a test. */
  stream: string | null
  revision: bigint | null
  type: string
  recordedAt: Instant
}

export interface DueCall extends QueuedCall {
  firstTryAt: Instant | null
  attempts: WebhookAttempt[]
}

/** A stream of calls to a webhook, which go one after the other. */
export interface CallStream {
  webhookId: string
  stream: string | null
}

const lockSpace = 724_020
const deletedAtOnce = 5000
const maxRepeatedAtOnce = 20_000

/** For the transaction: queueing a call and finishing the one before it must see each other. */
export const lockWebhooks = async (db: PoolClient, ids: Iterable<string>): Promise<void> => {
  await db.query(
    `select pg_advisory_xact_lock(${lockSpace}, hashed)
     from (select distinct hashtext(id) as hashed from unnest($1::text[]) id order by 1) ids`,
    [[...ids]],
  )
}

const columnsOf = (calls: readonly QueuedCall[]) => [
  calls.map(({ webhookId }) => webhookId),
  calls.map(({ eventId }) => eventId),
  calls.map(({ tenant }) => tenant),
  calls.map(({ position }) => position),
  calls.map(({ stream }) => stream),
  calls.map(({ revision }) => revision?.toString() ?? null),
  calls.map(({ type }) => type),
  calls.map(({ recordedAt }) => recordedAt),
]

/** Idempotent. A test is due at once. Returns how many were new, by webhook. */
export const insertCalls = async (
  db: PoolClient,
  calls: readonly QueuedCall[],
  now: Instant,
): Promise<Map<string, number>> => {
  const { rows } = await db.query<{ webhook_id: string }>(
    `insert into webhook_call (webhook_id, event_id, owner, position, stream, revision, type, recorded_at, status, next_try_at)
     select *, 'waiting', case when stream is null then $9 end
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
       as call (webhook_id, event_id, owner, position, stream, revision, type, recorded_at)
     on conflict do nothing returning webhook_id`,
    [...columnsOf(calls), now],
  )
  const counts = new Map<string, number>()
  for (const { webhook_id: id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Makes the first waiting call of each stream due. */
export const promoteFirst = async (db: PoolClient, streams: readonly CallStream[], now: Instant): Promise<void> => {
  await db.query({
    name: 'promote webhook calls',
    text: `update webhook_call call set next_try_at = $3
      from (
        select webhook_id, stream, (
          select min(position) from webhook_call w
          where w.webhook_id = of.webhook_id and w.stream = of.stream and w.status = 'waiting'
        ) as position
        from (select distinct * from unnest($1::text[], $2::text[]) as named (webhook_id, stream)) of
      ) first
      where call.webhook_id = first.webhook_id and call.stream = first.stream and call.position = first.position
        and call.status = 'waiting' and call.next_try_at is null`,
    values: [streams.map(({ webhookId }) => webhookId), streams.map(({ stream }) => stream), now],
  })
}

interface DueRow extends Omit<DueCall, 'revision'> {
  revision: string | null
}

/** The first calls of streams, at most `max` of each webhook, the earliest due first. Tests of every webhook with `tests`. */
export const findDue = async (
  pool: Pool,
  webhooks: readonly { id: string; max: number; onlyTests: boolean }[],
  now: Instant,
): Promise<DueCall[]> => {
  const { rows } = await pool.query<DueRow>({
    name: 'due webhook calls',
    text: `select due.webhook_id as "webhookId", event_id as "eventId", owner as tenant, position, stream, revision, type,
        recorded_at as "recordedAt", first_try_at as "firstTryAt", attempts
      from unnest($1::text[], $2::int[], $3::boolean[]) as webhook (id, max, only_tests),
      lateral (
        select * from webhook_call call
        where call.webhook_id = webhook.id and call.next_try_at <= $4 and (not webhook.only_tests or call.stream is null)
        order by call.next_try_at limit webhook.max
      ) due`,
    values: [
      webhooks.map(({ id }) => id),
      webhooks.map(({ max }) => max),
      webhooks.map(({ onlyTests }) => onlyTests),
      now,
    ],
  })
  return rows.map((row) => ({ ...row, revision: row.revision === null ? null : BigInt(row.revision) }))
}

export type Outcome = { status: 'delivered' | 'failed' } | { status: 'waiting'; nextTryAt: Instant }

/** False where the call is gone. */
export const finishAttempt = async (
  db: PoolClient,
  { webhookId, eventId, firstTryAt }: DueCall,
  attempts: readonly WebhookAttempt[],
  outcome: Outcome,
): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'finish webhook attempt',
    text: `update webhook_call call set status = $3, attempts = $4, attempt_count = attempt_count + 1, first_try_at = $5,
        next_try_at = case when not exists (
          select from webhook_call earlier where earlier.webhook_id = call.webhook_id and earlier.stream = call.stream
            and earlier.status = 'waiting' and earlier.position < call.position
        ) then $6 end
      where webhook_id = $1 and event_id = $2`,
    values: [
      ...[webhookId, eventId, outcome.status, JSON.stringify(attempts)],
      firstTryAt ?? attempts.at(-1)?.at,
      'nextTryAt' in outcome ? outcome.nextTryAt : null,
    ],
  })
  return rowCount === 1
}

/** Whether the address took anything since. */
export const hasDeliveredSince = async (pool: Pool, webhookId: string, since: Instant): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select from webhook_call where webhook_id = $1 and status = 'delivered' and stream is not null
       and attempts -> -1 ->> 'at' >= $2 limit 1`,
    [webhookId, since],
  )
  return rowCount === 1
}

/** What waits becomes failed, with this attempt. */
export const failWaiting = async (db: PoolClient, webhookId: string, attempt: WebhookAttempt): Promise<void> => {
  await db.query(
    `update webhook_call set status = 'failed', next_try_at = null, attempts = attempts || $2::jsonb
     where webhook_id = $1 and status = 'waiting' and stream is not null`,
    [webhookId, JSON.stringify([attempt])],
  )
}

/** Of one event, or the earliest 20,000 that failed. Returns how many. */
export const repeatFailed = async (
  db: PoolClient,
  webhookId: string,
  eventId: string | null,
  now: Instant,
): Promise<number> => {
  const { rows } = await db.query<{ stream: string | null }>(
    `update webhook_call set status = 'waiting', first_try_at = null, next_try_at = case when stream is null then $4 end
     where webhook_id = $1 and event_id = any(array(
       select event_id from webhook_call
       where webhook_id = $1 and status = 'failed' and ($2::text is null and type <> $3 or event_id = $2)
       order by position limit ${maxRepeatedAtOnce}
     )) returning stream`,
    [webhookId, eventId, webhookTestType, now],
  )
  const streams = [...new Set(rows.flatMap(({ stream }) => stream ?? []))]
  // An earlier one goes before the one that was first.
  await db.query(
    `update webhook_call set next_try_at = null
     where webhook_id = $1 and stream = any($2) and status = 'waiting' and next_try_at is not null`,
    [webhookId, streams],
  )
  await promoteFirst(
    db,
    streams.map((stream) => ({ webhookId, stream })),
    now,
  )
  return rows.length
}

/** In steps that each end before a statement's time-out. */
export const deleteCalls = async (db: PoolClient, webhookId: string): Promise<void> => {
  let deleted: number | null
  do {
    const { rowCount } = await db.query(
      `delete from webhook_call where ctid = any(array(
         select ctid from webhook_call where webhook_id = $1 limit ${deletedAtOnce}
       ))`,
      [webhookId],
    )
    deleted = rowCount
  } while (deleted)
}

/** Returns how many, and the streams of those that waited. */
export const deleteRecordedBefore = async (
  db: PoolClient,
  before: Instant,
): Promise<{ count: number; waited: CallStream[] }> => {
  const { rows } = await db.query<CallStream & { status: string }>(
    `delete from webhook_call where ctid = any(array(
       select ctid from webhook_call where recorded_at < $1 limit ${deletedAtOnce}
     )) returning webhook_id as "webhookId", stream, status`,
    [before],
  )
  return { count: rows.length, waited: rows.filter(({ status }) => status === 'waiting') }
}

export const countWaiting = async (pool: Pool): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ id: string; count: string }>(
    `select webhook_id as id, count(*) as count from webhook_call where status = 'waiting' group by webhook_id`,
  )
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

const callsShown = 50

/** The newest first. */
export const findCalls = async (
  pool: Pool,
  {
    tenant,
    webhookId,
    status,
    before,
  }: { tenant: string; webhookId: string; status?: WebhookCallStatus; before?: string },
): Promise<WebhookCall[]> => {
  const { rows } = await pool.query<WebhookCall>({
    name: 'webhook calls shown',
    text: `select event_id as "eventId", type, recorded_at as "recordedAt", status, attempts,
        attempt_count as "attemptCount", next_try_at as "nextTryAt"
      from webhook_call
      where webhook_id = $1 and owner = $2 and ($3::text is null or status = $3)
        and ($4::text is null or (position, event_id) < (
          select position, event_id from webhook_call where webhook_id = $1 and event_id = $4
        ))
      order by position desc, event_id desc limit ${callsShown}`,
    values: [webhookId, tenant, status ?? null, before ?? null],
  })
  return rows
}

export const isCallOf = async (pool: Pool, tenant: string, webhookId: string, eventId: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'select from webhook_call where webhook_id = $1 and owner = $2 and event_id = $3',
    [webhookId, tenant, eventId],
  )
  return rowCount === 1
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const givesUpAfterMs = 24 * hourMs

/** After the first attempt, the second, …; then the last one again and again. */
const pausesMs = [
  ...[5 * secondMs, 30 * secondMs],
  ...[2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs],
]
const maxPauseMs = 4 * hourMs

/** What follows from the last attempt. `firstTryAt`: of this round of attempts; null: the last one is the first. */
export const outcomeOf = (
  { stream, firstTryAt }: { stream: string | null; firstTryAt: Instant | null },
  attempts: readonly WebhookAttempt[],
  now: Instant,
): Outcome => {
  const last = attempts.at(-1)
  if (!last || last.failure === null) return { status: 'delivered' }
  // A test is sent once, and a body that cannot be made now cannot be made later.
  if (stream === null || last.failure === 'unreadable' || last.status === 410) return { status: 'failed' }
  const since = firstTryAt ?? last.at
  const end = later(since, givesUpAfterMs)
  if (last.at >= end) return { status: 'failed' }
  const made = attempts.filter(({ at }) => at >= since).length
  const next = later(now, pausesMs[made - 1] ?? maxPauseMs)
  return { status: 'waiting', nextTryAt: next < end ? next : end }
}
