import type { Pool } from 'pg'
import { outboxChannel, textDays } from './table.ts'

export interface OutboxRow {
  connection_id: string
  message_id: string
  contact_id: string
  owner: string
  to_jid: string
  sealed_text: Buffer | null
  state: 'waiting' | 'dispatched' | 'failed'
  attempts: number
  event_id: string
  correlation_id: string
}

export interface NewOutboxRow {
  connectionId: string
  messageId: string
  contactId: string
  owner: string
  toJid: string
  sealedText: Buffer
  position: string
  eventId: string
  correlationId: string
}

const columns =
  'connection_id, message_id, contact_id, owner, to_jid, sealed_text, state, attempts, event_id, correlation_id'

/**
 * Puts a message in line and announces it when it commits. One that is there already stays as it is, unless it failed and was
 * queued anew later in the log: then it goes to the end of the line.
 */
export const insertMessage = async (pool: Pool, row: NewOutboxRow): Promise<void> => {
  await pool.query(
    `with added as (
       insert into outbox (connection_id, message_id, contact_id, owner, to_jid, sealed_text, position, event_id, correlation_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (connection_id, message_id) do update
         set state = 'waiting', attempts = 0, settled_at = null, sealed_text = excluded.sealed_text,
             position = excluded.position, event_id = excluded.event_id, correlation_id = excluded.correlation_id
         where outbox.state = 'failed' and outbox.position < excluded.position
     )
     select pg_notify('${outboxChannel}', $1::uuid::text)`,
    [
      row.connectionId,
      row.messageId,
      row.contactId,
      row.owner,
      row.toJid,
      row.sealedText,
      row.position,
      row.eventId,
      row.correlationId,
    ],
  )
}

/** The message that waits first in line. */
export const firstWaiting = async (pool: Pool, connectionId: string): Promise<OutboxRow | undefined> => {
  const { rows } = await pool.query<OutboxRow>(
    `select ${columns} from outbox where connection_id = $1 and state = 'waiting' order by position limit 1`,
    [connectionId],
  )
  return rows[0]
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

/** Counts an attempt that came to nothing and answers how many there have been. */
export const countAttempt = async (pool: Pool, connectionId: string, messageId: string): Promise<number> => {
  const { rows } = await pool.query<{ attempts: number }>(
    `update outbox set attempts = attempts + 1 where connection_id = $1 and message_id = $2 returning attempts`,
    [connectionId, messageId],
  )
  return rows[0]?.attempts ?? 0
}

/** A message that was dispatched stays so. */
export const settleMessage = async (
  pool: Pool,
  connectionId: string,
  messageId: string,
  state: 'dispatched' | 'failed',
): Promise<void> => {
  await pool.query(
    `update outbox set state = $3, settled_at = now()
     where connection_id = $1 and message_id = $2 and state <> 'dispatched' and state <> $3`,
    [connectionId, messageId, state],
  )
}

export const connectionsWithWaiting = async (pool: Pool): Promise<{ connectionId: string; owner: string }[]> => {
  const { rows } = await pool.query<{ connection_id: string; owner: string }>(
    `select distinct connection_id, owner from outbox where state = 'waiting'`,
  )
  return rows.map(({ connection_id, owner }) => ({ connectionId: connection_id, owner }))
}

export const forgetOldTexts = async (pool: Pool): Promise<void> => {
  await pool.query(
    `update outbox set sealed_text = null
     where sealed_text is not null and settled_at < now() - make_interval(days => ${textDays})`,
  )
}

export const deleteMessagesTo = async (pool: Pool, contactId: string): Promise<void> => {
  await pool.query('delete from outbox where contact_id = $1', [contactId])
}
