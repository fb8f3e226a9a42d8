import { maxConnectionsRead, type OwnConnection } from '@prosa/contracts/values/lines'
import { listRecords } from '@prosa/product/what-if/list-records'
import type { Pool } from 'pg'

export const hasOpenLine = async (pool: Pool, tenant: string): Promise<boolean> => {
  const { rowCount } = await pool.query('select from open_line where owner = $1 and is_open limit 1', [tenant])
  return rowCount === 1
}

export interface OwnLine extends OwnConnection {
  isOpen: boolean
  isLinked: boolean
}

/** Oldest first, after recently removed ones with a number. */
export const findOwnLines = async (pool: Pool, tenant: string): Promise<OwnLine[]> => {
  const { rows } = await pool.query<OwnLine>({
    name: 'own lines',
    text: `select connection_id as "connectionId", is_open as "isOpen", is_linked as "isLinked", is_removed as "isRemoved",
                  coalesce(numbers, '[]') as numbers
           from open_line where owner = $1 and (not is_removed or numbers <> '[]')
           order by is_removed, added_at desc, connection_id desc limit $2`,
    values: [tenant, maxConnectionsRead],
  })
  return rows.toReversed()
}

export const findContactsOf = async (pool: Pool, tenant: string): Promise<string[]> => {
  const { rows } = await pool.query<{ contact_id: string }>('select contact_id from tenant_contact where owner = $1', [
    tenant,
  ])
  return rows.map(({ contact_id }) => contact_id)
}

/** Random: unidentifiable ones must not block others. */
export const findUnidentified = async (pool: Pool, tenant: string, limit: number): Promise<string[]> => {
  const { rows } = await pool.query<{ contact_id: string }>(
    'select contact_id from unidentified_number where owner = $1 order by random() limit $2',
    [tenant, limit],
  )
  return rows.map(({ contact_id }) => contact_id)
}

/** Returns the chat that has the id. */
export const claimMessageId = async (
  pool: Pool,
  tenant: string,
  messageId: string,
  chatId: string,
): Promise<string> => {
  const { rows } = await pool.query<{ chat_id: string }>(
    `insert into sent_message_id (owner, message_id, chat_id) values ($1, $2, $3)
     on conflict (owner, message_id) do update set chat_id = sent_message_id.chat_id
     returning chat_id`,
    [tenant, messageId, chatId],
  )
  return rows[0]?.chat_id ?? chatId
}

export const deleteMessageIds = async (pool: Pool, chatId: string): Promise<void> => {
  await pool.query('delete from sent_message_id where chat_id = $1', [chatId])
}

export const findLookedUp = async (
  pool: Pool,
  tenant: string,
  fingerprint: string,
  now: string,
): Promise<Buffer | undefined> => {
  const { rows } = await pool.query<{ sealed: Buffer }>(
    'select sealed from looked_up_number where owner = $1 and fingerprint = $2 and expires_at > $3',
    [tenant, fingerprint, now],
  )
  return rows[0]?.sealed
}

interface LookedUpRow {
  tenant: string
  fingerprint: string
  sealed: Buffer
  expiresAt: string
  now: string
}

/** Also deletes expired ones. */
export const storeLookedUp = async (
  pool: Pool,
  { tenant, fingerprint, sealed, expiresAt, now }: LookedUpRow,
): Promise<void> => {
  await pool.query('delete from looked_up_number where expires_at <= $1', [now])
  await pool.query(
    `insert into looked_up_number (owner, fingerprint, sealed, expires_at) values ($1, $2, $3, $4)
     on conflict (owner, fingerprint) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`,
    [tenant, fingerprint, sealed, expiresAt],
  )
}

export const deleteLookedUp = async (pool: Pool, tenant: string): Promise<void> => {
  await pool.query('delete from looked_up_number where owner = $1', [tenant])
}

export const hasOutOfHoursFlow = async (pool: Pool, tenant: string, connectionId: string): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'out of hours flow',
    text: `select from out_of_hours_flow
           where owner = $1 and is_on and (connection_ids = '[]' or connection_ids ? $2) limit 1`,
    values: [tenant, connectionId],
  })
  return rows.length > 0
}

export const listContacts = (pool: Pool, tenant: string, after: string, limit: number) =>
  listRecords(pool, { table: 'tenant_contact', id: 'contact_id', tenant }, after, limit)
