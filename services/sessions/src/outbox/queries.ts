import { beginning } from '@prosa/kernel/event-store/port'
import type { Pool } from 'pg'
import { mayAct } from '../leases/table.ts'
import { lineChannel } from '../line-channel.ts'

/** WhatsApp may ask for a message again for up to 14 days. */
const textDays = 14

export interface OutboxRow {
  connection_id: string
  message_id: string
  contact_id: string
  tenant: string
  to_jid: string
  sealed_text: Buffer | null
  sealed_work: Buffer | null
  sealed_prepared: Buffer | null
  state: 'waiting' | 'dispatched' | 'failed'
  attempts: number
  event_id: string
  correlation_id: string
}

export interface NewOutboxRow {
  connectionId: string
  messageId: string
  contactId: string
  tenant: string
  toJid: string
  encryptedWork: Buffer
  /** Differs from the stored content of this id. */
  hasOtherContent: boolean
  position: string
  eventId: string
  correlationId: string
}

const columns = `connection_id, message_id, contact_id, owner as tenant, to_jid, sealed_text, sealed_work, sealed_prepared, state,
  attempts, event_id, correlation_id`

/**
 * Notifies on commit. A known message stays, unless queued again because it failed: then it goes to the end, with the same bytes if its
 * content is equal; a prepared quote does not know a changed address. False, without change, where the id is another contact's.
 */
export const insertMessage = async (pool: Pool, row: NewOutboxRow): Promise<boolean> => {
  const { rows } = await pool.query<{ is_added: boolean }>(
    `with added as (
       insert into outbox (connection_id, message_id, contact_id, owner, to_jid, sealed_work, position, event_id, correlation_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (connection_id, message_id) do update
         set state = 'waiting', attempts = 0, settled_at = null, is_held = false,
             sealed_work = case when $10 then excluded.sealed_work else coalesce(outbox.sealed_work, excluded.sealed_work) end,
             sealed_prepared = case when outbox.to_jid = excluded.to_jid and not $10 then outbox.sealed_prepared end,
             to_jid = excluded.to_jid,
             position = excluded.position, event_id = excluded.event_id, correlation_id = excluded.correlation_id
         where outbox.contact_id = excluded.contact_id
           and outbox.state <> 'dispatched' and outbox.position < excluded.position
       returning 1
     )
     select exists (select from added) as is_added, pg_notify('${lineChannel}', $1::uuid::text)`,
    [
      row.connectionId,
      row.messageId,
      row.contactId,
      row.tenant,
      row.toJid,
      row.encryptedWork,
      row.position,
      row.eventId,
      row.correlationId,
      row.hasOtherContent,
    ],
  )
  if (rows[0]?.is_added) return true
  const kept = await findMessage(pool, row.connectionId, row.messageId)
  return kept === undefined || kept.contact_id === row.contactId
}

export interface Selection {
  except?: readonly string[]
  withoutDeferred?: boolean
  /** Position at which the current number replaced another: earlier messages belong to that one. */
  numberSince?: string
}

export interface NextRow extends OutboxRow {
  is_acquainted: boolean
  is_of_earlier_number: boolean
}

/**
 * `is_acquainted` is computed for one message: as a condition PostgreSQL would read all tenants' outbox. None for a line whose lease
 * (`token`) is another's.
 */
export const firstWaiting = async (
  pool: Pool,
  connectionId: string,
  { except = [], withoutDeferred = false, numberSince = beginning }: Selection,
  token: string | null,
): Promise<NextRow | undefined> => {
  const { rows } = await pool.query<NextRow>(
    `select chosen.*, chosen.position < $5 as is_of_earlier_number, sent.is_acquainted is not null as is_acquainted
     from (
       select ${columns}, position from outbox
       where connection_id = $1 and state = 'waiting' and contact_id <> all($2::uuid[])
         and not (is_held and $3 and position >= $5) and ${mayAct('$4')}
       order by position limit 1
     ) chosen
     left join lateral (
       select true as is_acquainted from outbox
       where contact_id = chosen.contact_id and connection_id = $1 and state = 'dispatched' and position >= $5
       limit 1
     ) sent on true`,
    [connectionId, except, withoutDeferred, token, numberSince],
  )
  return rows[0]
}

/** Never replaced: it may have been sent. */
export const savePrepared = async (
  pool: Pool,
  connectionId: string,
  messageId: string,
  encryptedPrepared: Buffer,
): Promise<void> => {
  await pool.query(
    `update outbox set sealed_prepared = $3
     where connection_id = $1 and message_id = $2 and sealed_prepared is null`,
    [connectionId, messageId, encryptedPrepared],
  )
}

export const deferMessages = async (
  pool: Pool,
  connectionId: string,
  contactId: string,
  isDeferred: boolean,
): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `update outbox set is_held = $3
     where connection_id = $1 and contact_id = $2 and state = 'waiting' and is_held <> $3`,
    [connectionId, contactId, isDeferred],
  )
  return rowCount !== 0
}

export const findMessage = async (
  pool: Pool,
  connectionId: string,
  messageId: string,
): Promise<OutboxRow | undefined> => {
  const { rows } = await pool.query<OutboxRow>(
    `select ${columns} from outbox where connection_id = $1 and message_id = $2`,
    [connectionId, messageId],
  )
  return rows[0]
}

/** Returns the total. */
export const countAttempt = async (pool: Pool, connectionId: string, messageId: string): Promise<number> => {
  const { rows } = await pool.query<{ attempts: number }>(
    `update outbox set attempts = attempts + 1 where connection_id = $1 and message_id = $2 returning attempts`,
    [connectionId, messageId],
  )
  return rows[0]?.attempts ?? 0
}

/** Dispatched is final; a message that another event queued meanwhile is unchanged. No effect when the lease (`token`) is another's. */
export const settleMessage = async (
  pool: Pool,
  connectionId: string,
  messageId: string,
  state: 'dispatched' | 'failed',
  token: string | null,
  eventId: string | null,
): Promise<void> => {
  await pool.query(
    `update outbox set state = $3, settled_at = now()
     where connection_id = $1 and message_id = $2 and state <> 'dispatched' and state <> $3 and ${mayAct('$4')}
       and ($5::uuid is null or event_id = $5)`,
    [connectionId, messageId, state, token, eventId],
  )
}

export const connectionsWithWaiting = async (pool: Pool): Promise<{ connectionId: string; tenant: string }[]> => {
  const { rows } = await pool.query<{ connection_id: string; tenant: string }>(
    `select distinct connection_id, owner as tenant from outbox where state = 'waiting'`,
  )
  return rows.map(({ connection_id, tenant }) => ({ connectionId: connection_id, tenant }))
}

export const forgetOldTexts = async (pool: Pool): Promise<void> => {
  await pool.query(
    `update outbox set sealed_text = null, sealed_work = null, sealed_prepared = null
     where coalesce(sealed_work, sealed_text) is not null and settled_at < now() - make_interval(days => ${textDays})`,
  )
}

export const deleteMessagesTo = async (pool: Pool, contactId: string): Promise<void> => {
  await pool.query('delete from outbox where contact_id = $1', [contactId])
}

export const deleteMessage = async (pool: Pool, connectionId: string, messageId: string): Promise<void> => {
  await pool.query('delete from outbox where connection_id = $1 and message_id = $2', [connectionId, messageId])
}
