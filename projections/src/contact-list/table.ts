import type { MessageStatus, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Table } from '../runner/table.ts'

export interface ContactRow {
  id: string
  owner: string | null
  name: string | null
  phone: string | null
  /** Name and numbers in the form that `searchText` compares. */
  search: string
  serviceStatus: ServiceStatus
  waitingSince: string | null
  lastActivity: string
  unreadCount: number
  lastMessageId: string | null
  lastMessageContent: MessageContent | null
  lastMessageSender: 'user' | 'contact' | null
  lastMessageStatus: MessageStatus | null
}

export const contactTable: Table<ContactRow> = {
  name: 'contact_list',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    name: 'text',
    phone: 'text',
    search: 'text collate "C" not null',
    serviceStatus: 'text collate "C" not null',
    waitingSince: 'text',
    lastActivity: 'text collate "C" not null',
    unreadCount: 'int not null',
    lastMessageId: 'text',
    lastMessageContent: 'jsonb',
    lastMessageSender: 'text',
    lastMessageStatus: 'text',
  },
  after: [
    'create index contact_list_tab on contact_list (owner, service_status, last_activity desc, id desc)',
    'create index contact_list_all on contact_list (owner, last_activity desc, id desc)',
  ],
}
