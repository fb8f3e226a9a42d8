import { isDeepStrictEqual } from 'node:util'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import { type OutgoingWork, outgoingWork } from './outgoing-work.ts'
import * as table from './queries.ts'

export interface QueuedMessage {
  connectionId: string
  messageId: string
  contactId: string
  tenant: string
  toJid: string
  /** null once deleted. */
  work: OutgoingWork | null
  /** Protobuf bytes; a retry sends the same. */
  prepared: Uint8Array | null
  state: 'waiting' | 'dispatched' | 'failed'
  attempts: number
  eventId: string
  correlationId: string
}

export interface NextMessage extends QueuedMessage {
  /** A message was sent to this contact over this connection and number before. */
  isAcquainted: boolean
  isOfEarlierNumber: boolean
}

type NewMessage = Omit<QueuedMessage, 'state' | 'attempts' | 'work' | 'prepared'> & {
  work: OutgoingWork
  position: string
  isRetry?: boolean
}

/** The content without random bytes. */
const contentOf = (work: OutgoingWork | null): unknown =>
  JSON.parse(JSON.stringify(work?.kind === 'message' ? work.content : work))

export interface Outbox {
  /** A known message stays as it is. False where the id is that of a message to another contact. */
  add(message: NewMessage): Promise<boolean>
  first(connectionId: string, selection?: table.Selection): Promise<NextMessage | undefined>
  find(connectionId: string, messageId: string): Promise<QueuedMessage | undefined>
  savePrepared(connectionId: string, messageId: string, prepared: Uint8Array): Promise<void>
  defer(connectionId: string, contactId: string, isDeferred: boolean): Promise<boolean>
  /** Returns the total. */
  countAttempt(connectionId: string, messageId: string): Promise<number>
  /** With `eventId` only if that event queued the message last. */
  settle(connectionId: string, messageId: string, state: 'dispatched' | 'failed', eventId?: string): Promise<void>
  remove(connectionId: string, messageId: string): Promise<void>
  connectionsWithWaiting(): Promise<{ connectionId: string; tenant: string }[]>
  /** `first` and `settle` do nothing once the lease (`token`) is another's. */
  under(token: string): Outbox
  forgetOldTexts(): Promise<void>
  forgetContact(contactId: string): Promise<void>
}

export const outbox = (pool: Pool, box: SecretBox, token: string | null = null): Outbox => {
  const textContext = (connectionId: string, messageId: string) => `outbox ${connectionId} ${messageId}`
  const workContext = (connectionId: string, messageId: string) => `outbox work ${connectionId} ${messageId}`
  const preparedContext = (connectionId: string, messageId: string) => `outbox prepared ${connectionId} ${messageId}`

  const workOf = ({ connection_id, message_id, sealed_work, sealed_text }: table.OutboxRow): OutgoingWork | null => {
    if (sealed_work)
      return outgoingWork.parse(JSON.parse(box.decrypt(sealed_work, workContext(connection_id, message_id)).toString()))
    if (!sealed_text) return null
    const text = box.decrypt(sealed_text, textContext(connection_id, message_id)).toString()
    return { kind: 'message', content: { kind: 'text', text }, secret: Buffer.alloc(32).toString('base64') }
  }

  const message = (row: table.OutboxRow): QueuedMessage => ({
    connectionId: row.connection_id,
    messageId: row.message_id,
    contactId: row.contact_id,
    tenant: row.tenant,
    toJid: row.to_jid,
    work: workOf(row),
    prepared:
      row.sealed_prepared && box.decrypt(row.sealed_prepared, preparedContext(row.connection_id, row.message_id)),
    state: row.state,
    attempts: row.attempts,
    eventId: row.event_id,
    correlationId: row.correlation_id,
  })

  return {
    async add({ work, isRetry = false, ...queued }) {
      const { connectionId, messageId } = queued
      const earlier = isRetry ? await table.findMessage(pool, connectionId, messageId) : undefined
      return table.insertMessage(pool, {
        ...queued,
        encryptedWork: box.encrypt(Buffer.from(JSON.stringify(work)), workContext(connectionId, messageId)),
        hasOtherContent: earlier !== undefined && !isDeepStrictEqual(contentOf(workOf(earlier)), contentOf(work)),
      })
    },
    async first(connectionId, selection = {}) {
      const row = await table.firstWaiting(pool, connectionId, selection, token)
      return row && { ...message(row), isAcquainted: row.is_acquainted, isOfEarlierNumber: row.is_of_earlier_number }
    },
    async find(connectionId, messageId) {
      const row = await table.findMessage(pool, connectionId, messageId)
      return row && message(row)
    },
    savePrepared: (connectionId, messageId, prepared) =>
      table.savePrepared(
        pool,
        connectionId,
        messageId,
        box.encrypt(Buffer.from(prepared), preparedContext(connectionId, messageId)),
      ),
    defer: (connectionId, contactId, isDeferred) => table.deferMessages(pool, connectionId, contactId, isDeferred),
    countAttempt: (connectionId, messageId) => table.countAttempt(pool, connectionId, messageId),
    settle: (connectionId, messageId, state, eventId) =>
      table.settleMessage(pool, connectionId, messageId, state, token, eventId ?? null),
    remove: (connectionId, messageId) => table.deleteMessage(pool, connectionId, messageId),
    connectionsWithWaiting: () => table.connectionsWithWaiting(pool),
    under: (leaseToken) => outbox(pool, box, leaseToken),
    forgetOldTexts: () => table.forgetOldTexts(pool),
    forgetContact: (contactId) => table.deleteMessagesTo(pool, contactId),
  }
}
