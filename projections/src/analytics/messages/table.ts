import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Without content: its kind and size stay until the contact is erased. */
export interface AnalyticMessageRow {
  /** `<contact>:<message>`, as in `chat_message`. */
  key: string
  tenant: string
  /** Log position of the latest change. */
  position: string
  updatedAt: string
  contactId: string
  /** The contact itself, or the one that it was merged into. */
  personId: string
  messageId: string
  connectionId: string
  author: 'contact' | 'attendant' | 'flow' | 'out_of_hours' | 'phone' | 'program'
  attendantId: string | null
  flowId: string | null
  flowVersion: number | null
  runId: string | null
  kind: string
  characters: number | null
  /** Text: files may be larger than an `int`. */
  fileBytes: string | null
  seconds: number | null
  isVoice: boolean | null
  isReply: boolean
  sentAt: string
  recordedAt: string
  /** Null: the contact's. */
  status: MessageStatus | null
  acceptedAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failedAt: string | null
  failureCode: string | null
  retries: number
  editedAt: string | null
  deletedAt: string | null
}

export const analyticMessageTable: Table<AnalyticMessageRow> = {
  name: 'analytic_message',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    position: 'text collate "C" not null',
    updatedAt: 'text collate "C" not null',
    contactId: 'text collate "C" not null',
    personId: 'text not null',
    messageId: 'text not null',
    connectionId: 'text not null',
    author: 'text not null',
    attendantId: 'text',
    flowId: 'text',
    flowVersion: 'int',
    runId: 'text',
    kind: 'text not null',
    characters: 'int',
    fileBytes: 'text',
    seconds: 'int',
    isVoice: 'boolean',
    isReply: 'boolean not null',
    sentAt: 'text not null',
    recordedAt: 'text not null',
    status: 'text',
    acceptedAt: 'text',
    deliveredAt: 'text',
    readAt: 'text',
    failedAt: 'text',
    failureCode: 'text',
    retries: 'int not null',
    editedAt: 'text',
    deletedAt: 'text',
  },
  after: [
    'create index analytic_message_owner on analytic_message (owner, position)',
    'create index analytic_message_contact on analytic_message (contact_id)',
  ],
}
