import type { Instant } from '@prosa/contracts/values/instant'
import { transaction } from '@prosa/kernel/postgres/pool'
import type { Pool } from 'pg'
import type { PhoneAnswer } from '../gateway/gateway.ts'

export const mediaChannel = 'prosa_media'

/** `revision` is the source's in the chat. */
export interface WantedMedia {
  id: string
  tenant: string
  contactId: string
  revision: bigint
  eventId: string
  correlationId: string
}

export interface ClaimedMedia extends WantedMedia {
  attempts: number
  isPhoneAsked: boolean
  /** `file` is null when the phone no longer has it. */
  phoneAnswer: { file: PhoneAnswer | null } | null
}

export const addWanted = async (pool: Pool, wanted: WantedMedia, now: Instant): Promise<void> => {
  const { id, tenant, contactId, revision, eventId, correlationId } = wanted
  await pool.query(
    `with added as (
       insert into media_file (id, owner, contact_id, state, revision, due_at, event_id, correlation_id)
       values ($1, $2, $3, 'fetching', $4, $5, $6, $7) on conflict (id) do nothing
     )
     select pg_notify('${mediaChannel}', '')`,
    [id, tenant, contactId, revision, now, eventId, correlationId],
  )
}

export const wantAgain = async (pool: Pool, id: string, eventId: string, now: Instant): Promise<void> => {
  await pool.query(
    `with again as (
       update media_file set state = 'fetching', attempts = 0, due_at = $3, event_id = $2, phone_asked_at = null, phone_answer = null
       where id = $1 and state in ('fetching', 'settled') and revision is not null and event_id <> $2
     )
     select pg_notify('${mediaChannel}', '')`,
    [id, eventId, now],
  )
}

export interface Claim {
  limit: number
  /** Over all processes. */
  perTenant: number
  now: Instant
  until: Instant
}

/** Tenants with the fewest claimed files come first, then the longest waiting. One process at a time decides. */
export const claimWanted = (pool: Pool, { limit, perTenant, now, until }: Claim): Promise<ClaimedMedia[]> =>
  transaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('claim media', 0))`)
    const { rows } = await client.query<Omit<ClaimedMedia, 'revision'> & { revision: string }>(
      `with recursive tenant as (
         (select owner from media_file where state = 'fetching' order by owner limit 1)
         union all
         select (select owner from media_file where state = 'fetching' and owner > tenant.owner order by owner limit 1)
         from tenant where tenant.owner is not null
       ), busy as (
         select owner, count(*) as files from media_file
         where claimed_until is not null and claimed_until > $1 and state = 'fetching' group by owner
       ), candidate as (
         select due.id, due.due_at, fetch_turn.claimed_at,
           coalesce(busy.files, 0) + row_number() over (partition by tenant.owner order by due.due_at, due.id) as turn
         from tenant
           left join busy on busy.owner = tenant.owner
           left join fetch_turn on fetch_turn.owner = tenant.owner
           cross join lateral (
             select id, due_at from media_file
             where owner = tenant.owner and state = 'fetching' and due_at <= $1
             order by due_at limit greatest(0, $4 - coalesce(busy.files, 0))
           ) as due
       ), claimed as (
         update media_file set due_at = $2, claimed_until = $2 where state = 'fetching' and due_at <= $1 and id in (
           select id from candidate order by turn, claimed_at nulls first, due_at limit $3
         )
         returning id, owner as tenant, contact_id as "contactId", revision, event_id as "eventId", correlation_id as "correlationId",
           attempts, phone_asked_at is not null as "isPhoneAsked", phone_answer as "phoneAnswer"
       ), served as (
         insert into fetch_turn (owner, claimed_at) select tenant, clock_timestamp() from claimed group by tenant
         on conflict (owner) do update set claimed_at = clock_timestamp()
       )
       select * from claimed`,
      [now, until, limit, perTenant],
    )
    return rows.map((row) => ({ ...row, revision: BigInt(row.revision) }))
  })

export const nextWanted = async (pool: Pool, now: Instant): Promise<Instant | undefined> => {
  const { rows } = await pool.query<{ due: Date | null }>(
    `select min(due_at) as due from media_file where state = 'fetching' and due_at > $1`,
    [now],
  )
  return rows[0]?.due?.toISOString()
}

export const countWanted = async (pool: Pool): Promise<{ waiting: number; failing: number }> => {
  const { rows } = await pool.query<{ waiting: number; failing: number }>(
    `select count(*)::int as waiting, (count(*) filter (where attempts > 0))::int as failing
     from media_file where state = 'fetching'`,
  )
  return rows[0] ?? { waiting: 0, failing: 0 }
}

export const nameMessage = async (pool: Pool, id: string, connectionId: string, messageId: string): Promise<void> => {
  await pool.query('update media_file set connection_id = $2, message_id = $3 where id = $1', [
    id,
    connectionId,
    messageId,
  ])
}

export const waitForPhone = async (pool: Pool, id: string, now: Instant, until: Instant): Promise<void> => {
  await pool.query(
    `update media_file set phone_asked_at = $2, claimed_until = null,
       due_at = case when phone_answer is null then $3 else due_at end
     where id = $1 and state = 'fetching'`,
    [id, now, until],
  )
}

/** The first answer counts, even after it was given up. */
export const answerWanted = async (
  pool: Pool,
  connectionId: string,
  messageId: string,
  file: PhoneAnswer | null,
  now: Instant,
): Promise<void> => {
  await pool.query(
    `with answered as (
       update media_file set phone_answer = $3, state = 'fetching', due_at = $4
       where connection_id = $1 and message_id = $2 and state in ('fetching', 'settled') and phone_answer is null
     )
     select pg_notify('${mediaChannel}', '')`,
    [connectionId, messageId, JSON.stringify({ file }), now],
  )
}

export const extendClaim = async (pool: Pool, id: string, until: Instant): Promise<void> => {
  await pool.query(`update media_file set due_at = $2, claimed_until = $2 where id = $1 and state = 'fetching'`, [
    id,
    until,
  ])
}

/** `counts`: the attempt failed. */
export const putBack = async (pool: Pool, id: string, due: Instant, counts: boolean): Promise<void> => {
  await pool.query(
    `update media_file set due_at = $2, claimed_until = null, attempts = attempts + $3
     where id = $1 and state = 'fetching'`,
    [id, due, counts ? 1 : 0],
  )
}

/** No effect if requested again. `bytes` 0: given up. */
export const settleWanted = async (pool: Pool, { id, eventId }: WantedMedia, bytes: number): Promise<void> => {
  await pool.query(
    `update media_file set bytes = $3, claimed_until = null,
       state = case when event_id = $2 then 'settled' else state end,
       due_at = case when event_id = $2 then null else due_at end
     where id = $1 and state = 'fetching'`,
    [id, eventId, bytes],
  )
}

/** Before the first byte, so that the cleanup finds it in any case. */
export const addUpload = async (
  pool: Pool,
  { id, tenant, correlationId, deleteAt }: { id: string; tenant: string; correlationId: string; deleteAt: Instant },
): Promise<void> => {
  await pool.query(
    `insert into media_file (id, owner, state, due_at, correlation_id) values ($1, $2, 'uploading', $3, $4)`,
    [id, tenant, deleteAt, correlationId],
  )
}

/** Returns the id of an earlier try instead, or undefined when the tenant was erased. */
export const finishUpload = async (pool: Pool, id: string, requestId: string): Promise<string | undefined> => {
  await pool.query(
    `update media_file set state = 'uploaded', request_id = $2
     where id = $1 and state = 'uploading' and not exists (select from media_file where request_id = $2)`,
    [id, requestId],
  )
  const { rows } = await pool.query<{ id: string }>(
    `select id from media_file where request_id = $1 and state <> 'erased'`,
    [requestId],
  )
  return rows[0]?.id
}

export const dropUpload = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(`delete from media_file where id = $1 and state = 'uploading'`, [id])
}

export const giveUpload = async (
  pool: Pool,
  { id, tenant, contactId, correlationId }: { id: string; tenant: string; contactId: string; correlationId: string },
): Promise<void> => {
  await pool.query(
    `insert into media_file (id, owner, contact_id, state, correlation_id) values ($1, $2, $3, 'given', $4)
     on conflict (id) do update set state = 'given', contact_id = $3, due_at = null
       where media_file.state in ('uploading', 'uploaded')`,
    [id, tenant, contactId, correlationId],
  )
}

/** Flows send these: they do not expire. */
export const retainUploads = async (pool: Pool, tenant: string, ids: readonly string[]): Promise<void> => {
  await pool.query(
    `update media_file set due_at = null
     where id = any($2) and owner = $1 and state in ('uploading', 'uploaded') and due_at is not null`,
    [tenant, ids],
  )
}

export interface KnownFile {
  id: string
  tenant: string
}

/** Erased files may have been stored after their deletion. */
export const filesToCleanUp = async (pool: Pool, now: Instant): Promise<(KnownFile & { state: string })[]> => {
  const { rows } = await pool.query<KnownFile & { state: string }>(
    `select id, owner as tenant, state from media_file
     where due_at <= $1 and state in ('uploading', 'uploaded', 'erased') order by due_at limit 100`,
    [now],
  )
  return rows
}

export const forgetFile = async (pool: Pool, id: string): Promise<void> => {
  await pool.query('delete from media_file where id = $1', [id])
}

/** The cleanup checks them again at `recheckAt`. */
export const markErased = async (
  pool: Pool,
  whose: { contactId: string } | { tenant: string },
  recheckAt: Instant,
): Promise<KnownFile[]> => {
  const [column, value] = 'contactId' in whose ? ['contact_id', whose.contactId] : ['owner', whose.tenant]
  await pool.query(
    `update media_file set state = 'erased', due_at = $2, request_id = null, bytes = 0, claimed_until = null
     where ${column} = $1 and state <> 'erased'`,
    [value, recheckAt],
  )
  const { rows } = await pool.query<KnownFile>(`select id, owner as tenant from media_file where ${column} = $1`, [
    value,
  ])
  return rows
}
