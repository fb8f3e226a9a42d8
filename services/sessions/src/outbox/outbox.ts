import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import * as table from './queries.ts'

export interface QueuedMessage {
  connectionId: string
  messageId: string
  contactId: string
  owner: string
  toJid: string
  /** null once it was forgotten. */
  text: string | null
  state: 'waiting' | 'dispatched' | 'failed'
  attempts: number
  /** The event that queued it, and what that belongs to. */
  eventId: string
  correlationId: string
}

/** Which messages have to go out over each connection, and what is known of those that went. */
export interface Outbox {
  /** Puts a message in line; one that is there already stays as it is. `position` is that of the event that queued it. */
  add(message: Omit<QueuedMessage, 'state' | 'attempts' | 'text'> & { text: string; position: string }): Promise<void>
  first(connectionId: string): Promise<QueuedMessage | undefined>
  find(connectionId: string, messageId: string): Promise<QueuedMessage | undefined>
  /** Counts an attempt that came to nothing and answers how many there have been. */
  countAttempt(connectionId: string, messageId: string): Promise<number>
  settle(connectionId: string, messageId: string, state: 'dispatched' | 'failed'): Promise<void>
  connectionsWithWaiting(): Promise<{ connectionId: string; owner: string }[]>
  forgetOldTexts(): Promise<void>
  /** Deletes every message to a contact that was erased; what still waits does not go out. */
  forgetContact(contactId: string): Promise<void>
}

export const outbox = (pool: Pool, box: SecretBox): Outbox => {
  const context = (connectionId: string, messageId: string) => `outbox ${connectionId} ${messageId}`
  const message = (row: table.OutboxRow | undefined): QueuedMessage | undefined =>
    row && {
      connectionId: row.connection_id,
      messageId: row.message_id,
      contactId: row.contact_id,
      owner: row.owner,
      toJid: row.to_jid,
      text: row.sealed_text && box.open(row.sealed_text, context(row.connection_id, row.message_id)).toString(),
      state: row.state,
      attempts: row.attempts,
      eventId: row.event_id,
      correlationId: row.correlation_id,
    }
  return {
    add: ({ text, ...queued }) =>
      table.insertMessage(pool, {
        ...queued,
        sealedText: box.seal(Buffer.from(text), context(queued.connectionId, queued.messageId)),
      }),
    first: async (connectionId) => message(await table.firstWaiting(pool, connectionId)),
    find: async (connectionId, messageId) => message(await table.findMessage(pool, connectionId, messageId)),
    countAttempt: (connectionId, messageId) => table.countAttempt(pool, connectionId, messageId),
    settle: (connectionId, messageId, state) => table.settleMessage(pool, connectionId, messageId, state),
    connectionsWithWaiting: () => table.connectionsWithWaiting(pool),
    forgetOldTexts: () => table.forgetOldTexts(pool),
    forgetContact: (contactId) => table.deleteMessagesTo(pool, contactId),
  }
}
