import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface MessageRow {
  /** `<contactId>:<messageId>`: WhatsApp's ids are unique per chat. */
  key: string
  contactId: string
  messageId: string
  tenant: string | null
  /** The latest; null in older rows. */
  connectionId: string | null
  /** Log position: the chat's order. */
  place: string
  sender: 'user' | 'contact'
  /** Latest edit, without file key. */
  content: MessageContent
  timestamp: string
  status: MessageStatus | null
  failureCode: string | null
  sentElsewhere: boolean
  editedAt: string | null
  deletedAt: string | null
  /** Before edit or deletion. */
  original: string | null
  /** Latest pending or failed correction. */
  correction: {
    id: string
    kind: 'edit' | 'deletion'
    text: string | null
    failureCode: string | null
  } | null
  ownReaction: string | null
  contactReaction: string | null
  /** Sent by a rule. */
  isAutomatic: boolean
  /** By the tenant's program, with a key. */
  isProgram: boolean
  isFlow: boolean
}

export const messageTable: Table<MessageRow> = {
  name: 'chat_message',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    contactId: 'text collate "C" not null',
    messageId: 'text not null',
    tenant: 'text collate "C"',
    connectionId: 'text collate "C"',
    place: 'text collate "C" not null',
    sender: 'text not null',
    content: 'jsonb not null',
    timestamp: 'text not null',
    status: 'text',
    failureCode: 'text',
    sentElsewhere: 'boolean not null',
    editedAt: 'text',
    deletedAt: 'text',
    original: 'text',
    correction: 'jsonb',
    ownReaction: 'text',
    contactReaction: 'text',
    isAutomatic: 'boolean not null',
    isProgram: 'boolean not null',
    isFlow: 'boolean not null',
  },
  added: {
    connectionId: { notKnownYet: true },
    correction: { was: 'null' },
    isAutomatic: { was: 'false' },
    isProgram: { was: 'false' },
    isFlow: { was: 'false' },
  },
  after: [
    'create index chat_message_order on chat_message (contact_id, place)',
    'create index chat_message_latest on chat_message (place desc)',
  ],
}
