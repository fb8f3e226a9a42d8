import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface MessageRow {
  /** `<contactId>:<messageId>`: WhatsApp's ids are unique within one chat only. */
  key: string
  contactId: string
  messageId: string
  owner: string | null
  /** Over which connection it came, or was sent last; null in rows of a version that did not keep it. */
  connectionId: string | null
  /** Position in the log of the event that brought the message: the order of the chat. */
  place: string
  sender: 'user' | 'contact'
  /** As it was edited last, without what opens its file in WhatsApp's network. */
  content: MessageContent
  timestamp: string
  status: MessageStatus | null
  failureCode: string | null
  sentElsewhere: boolean
  editedAt: string | null
  deletedAt: string | null
  /** Its first words; null unless it was edited or deleted. */
  original: string | null
  /** The own side's latest correction that WhatsApp did not take yet, or refused. */
  correction: {
    id: string
    kind: 'edit' | 'deletion'
    /** The new words of the message. */
    text: string | null
    failureCode: string | null
  } | null
  /** The emoji with which each side reacted. */
  ownReaction: string | null
  contactReaction: string | null
  /** A rule of the business sent it, nobody wrote it. */
  isAutomatic: boolean
  /** That rule was a flow. */
  isFlow: boolean
}

export const messageTable: Table<MessageRow> = {
  name: 'chat_message',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    contactId: 'text collate "C" not null',
    messageId: 'text not null',
    owner: 'text collate "C"',
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
    isFlow: 'boolean not null',
  },
  added: {
    connectionId: { notKnownYet: true },
    correction: { was: 'null' },
    isAutomatic: { was: 'false' },
    isFlow: { was: 'false' },
  },
  after: [
    'create index chat_message_order on chat_message (contact_id, place)',
    'create index chat_message_latest on chat_message (place desc)',
  ],
}
