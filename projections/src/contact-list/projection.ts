import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { furtherStatus } from '../message-status.ts'
import type { Projection, StoredOf } from '../runner/projection.ts'
import { searchable } from './search-text.ts'
import { type ContactRow, contactTable } from './table.ts'

type Row = ContactRow | undefined

/** Both `contact-<id>` and `chat-<id>` are named after the contact. */
const key = ({ stream }: Stored) => parseStream(stream).id

/**
 * When people wrote counts, not when we heard of it; but never later than now, and never back. The first message of a contact
 * also replaces the moment of its adding.
 */
const activity = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant => {
  const moment = writtenAt < recordedAt ? writtenAt : recordedAt
  return row.lastMessageId !== null && row.lastActivity > moment ? row.lastActivity : moment
}

const received = (row: Row, { data, metadata }: StoredOf<'MessageReceived'>): Row =>
  row && {
    ...row,
    lastActivity: activity(row, data.sentAt, metadata.recordedAt),
    unreadCount: row.unreadCount + 1,
    lastMessageId: data.messageId,
    lastMessageContent: data.content,
    lastMessageSender: 'contact',
    lastMessageStatus: null,
  }

/** Whoever answers has read what came before. */
const written = (
  row: Row,
  { data, metadata }: StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>,
  writtenAt: Instant,
  status: MessageStatus,
): Row =>
  row && {
    ...row,
    lastActivity: activity(row, writtenAt, metadata.recordedAt),
    unreadCount: 0,
    lastMessageId: data.messageId,
    lastMessageContent: data.content,
    lastMessageSender: 'user',
    lastMessageStatus: status,
  }

const tick = (status: MessageStatus) => ({
  key,
  row: (row: Row, { data }: Stored & { data: { messageId: string } }) =>
    row?.lastMessageSender === 'user' && row.lastMessageId === data.messageId
      ? { ...row, lastMessageStatus: furtherStatus(row.lastMessageStatus, status) }
      : row,
})

const turn = (serviceStatus: ContactRow['serviceStatus']) => ({
  key,
  row: (row: Row, { metadata }: Stored) =>
    row && { ...row, serviceStatus, waitingSince: serviceStatus === 'waiting' ? metadata.recordedAt : null },
})

/** One row per contact: whose turn it is, what was said last, and how much of it nobody has seen. */
export const contactList: Projection<ContactRow> = {
  name: 'contact-list',
  version: 1,
  categories: ['contact', 'chat'],
  table: contactTable,
  on: {
    ContactAdded: {
      key,
      row: (_, { stream, data: { name, phone, origin }, metadata }) => ({
        id: parseStream(stream).id,
        owner: metadata.owner,
        name,
        phone,
        search: searchable(name, phone),
        // Found because the own side wrote to it on the phone: nobody is waiting.
        serviceStatus: origin === 'phone' ? 'resolved' : 'waiting',
        waitingSince: origin === 'phone' ? null : metadata.recordedAt,
        lastActivity: metadata.recordedAt,
        unreadCount: 0,
        lastMessageId: null,
        lastMessageContent: null,
        lastMessageSender: null,
        lastMessageStatus: null,
      }),
    },
    ContactIdentified: {
      key,
      row: (row, { data: { phone } }) => row && { ...row, phone, search: searchable(row.name, phone) },
    },
    ContactNamed: {
      key,
      row: (row, { data: { name } }) => row && { ...row, name, search: searchable(name, row.phone) },
    },
    ConversationAccepted: turn('attending'),
    ConversationResolved: turn('resolved'),
    ConversationReopened: turn('waiting'),
    ContactErased: { key, row: () => undefined },
    // The contacts service adds the contact before its first message, so there is always a row here.
    MessageReceived: { key, row: received },
    MessageQueued: { key, row: (row, event) => written(row, event, event.metadata.recordedAt, 'queued') },
    MessageSentElsewhere: { key, row: (row, event) => written(row, event, event.data.sentAt, 'sent') },
    MessageSent: tick('sent'),
    MessageDelivered: tick('delivered'),
    MessageRead: tick('read'),
    MessageFailed: tick('failed'),
    ChatSeen: { key, row: (row) => row && { ...row, unreadCount: 0 } },
  },
}
