import { isDeepStrictEqual } from 'node:util'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import { type OutgoingWork, outgoingWork } from './outgoing-work.ts'
import * as table from './queries.ts'

export interface QueuedMessage {
  connectionId: string
  messageId: string
  contactId: string
  owner: string
  toJid: string
  /** null once it was forgotten. */
  work: OutgoingWork | null
  /** The message itself as protobuf bytes, where it was made ready and kept; a second attempt sends the very same. */
  prepared: Uint8Array | null
  state: 'waiting' | 'dispatched' | 'failed'
  attempts: number
  /** The event that queued it, and what that belongs to. */
  eventId: string
  correlationId: string
}

export interface NextMessage extends QueuedMessage {
  /** Something went to this contact over this connection before, and over the same number. */
  isAcquainted: boolean
  /** It was queued for the number that was linked before. */
  isOfEarlierNumber: boolean
}

type NewMessage = Omit<QueuedMessage, 'state' | 'attempts' | 'work' | 'prepared'> & {
  work: OutgoingWork
  position: string
  /** It failed before. Its present content counts. */
  isRetry?: boolean
}

/** The content of a message, apart from the bytes that each making of it draws. */
const contentOf = (work: OutgoingWork | null): unknown =>
  JSON.parse(JSON.stringify(work?.kind === 'message' ? work.content : work))

/** Which messages have to go out over each connection, and what is known of those that went. */
export interface Outbox {
  /**
   * Puts a message in line; one that is there already stays as it is. `position` is that of the event that queued it. Answers
   * false where the id is already that of a message to another contact, which stays as it is too.
   */
  add(message: NewMessage): Promise<boolean>
  first(connectionId: string, selection?: table.Selection): Promise<NextMessage | undefined>
  find(connectionId: string, messageId: string): Promise<QueuedMessage | undefined>
  /** Keeps the message as it will be sent, before it is. */
  keepPrepared(connectionId: string, messageId: string, prepared: Uint8Array): Promise<void>
  /** Holds what waits for this contact, or lets go of it. Answers whether anything changed. */
  hold(connectionId: string, contactId: string, isHeld: boolean): Promise<boolean>
  /** Counts an attempt that came to nothing and answers how many there have been. */
  countAttempt(connectionId: string, messageId: string): Promise<number>
  /** With `eventId` only if it was that event that queued the message last. */
  settle(connectionId: string, messageId: string, state: 'dispatched' | 'failed', eventId?: string): Promise<void>
  /** Takes something out of line of which nobody will ask what became. */
  remove(connectionId: string, messageId: string): Promise<void>
  connectionsWithWaiting(): Promise<{ connectionId: string; owner: string }[]>
  /** The same outbox as a line sees it: `first` and `settle` do nothing once its lease (`token`) is another's. */
  under(token: string): Outbox
  forgetOldTexts(): Promise<void>
  /** Deletes every message to a contact that was erased; what still waits does not go out. */
  forgetContact(contactId: string): Promise<void>
}

export const outbox = (pool: Pool, box: SecretBox, token: string | null = null): Outbox => {
  const textContext = (connectionId: string, messageId: string) => `outbox ${connectionId} ${messageId}`
  const workContext = (connectionId: string, messageId: string) => `outbox work ${connectionId} ${messageId}`
  const preparedContext = (connectionId: string, messageId: string) => `outbox prepared ${connectionId} ${messageId}`

  const workOf = ({ connection_id, message_id, sealed_work, sealed_text }: table.OutboxRow): OutgoingWork | null => {
    if (sealed_work)
      return outgoingWork.parse(JSON.parse(box.open(sealed_work, workContext(connection_id, message_id)).toString()))
    if (!sealed_text) return null
    const text = box.open(sealed_text, textContext(connection_id, message_id)).toString()
    return { kind: 'message', content: { kind: 'text', text }, secret: Buffer.alloc(32).toString('base64') }
  }

  const message = (row: table.OutboxRow): QueuedMessage => ({
    connectionId: row.connection_id,
    messageId: row.message_id,
    contactId: row.contact_id,
    owner: row.owner,
    toJid: row.to_jid,
    work: workOf(row),
    prepared: row.sealed_prepared && box.open(row.sealed_prepared, preparedContext(row.connection_id, row.message_id)),
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
        sealedWork: box.seal(Buffer.from(JSON.stringify(work)), workContext(connectionId, messageId)),
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
    keepPrepared: (connectionId, messageId, prepared) =>
      table.keepPrepared(
        pool,
        connectionId,
        messageId,
        box.seal(Buffer.from(prepared), preparedContext(connectionId, messageId)),
      ),
    hold: (connectionId, contactId, isHeld) => table.holdMessages(pool, connectionId, contactId, isHeld),
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
