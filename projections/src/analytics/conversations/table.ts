import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Of a conversation that a contact brought into the one it was merged into. */
export interface Moved {
  /** `causationId` of the merge. */
  by: string
  openedAt: string
  firstMessageAt: string | null
}

/** The latest conversation of a contact, or an earlier one. Without personal data. */
export interface ConversationRow {
  /** `<contact>`, or `<contact> <position of the next one's opening>`. */
  key: string
  tenant: string
  /** Log position of the latest change. */
  position: string
  updatedAt: string
  contactId: string
  /** Whose conversation it is: the contact itself, or the one that it was merged into. */
  personId: string
  /** Opening event; null: the own side wrote first, so there is none yet. */
  conversationId: string | null
  number: number
  serviceStatus: 'waiting' | 'attending' | 'resolved'
  isErased: boolean
  openedAt: string
  openedBy: 'contact' | 'attendant'
  connectionId: string | null
  hasReceivedOver: boolean
  firstMessageAt: string | null
  firstAnswerAt: string | null
  firstAnswerBy: 'attendant' | 'flow' | 'out_of_hours' | 'phone' | 'program' | null
  firstPersonAnswerAt: string | null
  acceptedAt: string | null
  attendantId: string | null
  resolvedAt: string | null
  received: number
  sentByPerson: number
  sentByRule: number
  reopenedAt: string | null
  reopenedBy: 'contact' | 'attendant' | null
  /** It was merged before and its conversation moved then. */
  hasMoved: boolean
  /** From a merge whose reopening may follow. */
  moved: Moved | null
}

export const conversationTable: Table<ConversationRow> = {
  name: 'analytic_conversation',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    position: 'text collate "C" not null',
    updatedAt: 'text collate "C" not null',
    contactId: 'text collate "C" not null',
    personId: 'text collate "C" not null',
    conversationId: 'text',
    number: 'int not null',
    serviceStatus: 'text not null',
    isErased: 'boolean not null',
    openedAt: 'text not null',
    openedBy: 'text not null',
    connectionId: 'text',
    hasReceivedOver: 'boolean not null',
    firstMessageAt: 'text',
    firstAnswerAt: 'text',
    firstAnswerBy: 'text',
    firstPersonAnswerAt: 'text',
    acceptedAt: 'text',
    attendantId: 'text',
    resolvedAt: 'text',
    received: 'int not null',
    sentByPerson: 'int not null',
    sentByRule: 'int not null',
    reopenedAt: 'text',
    reopenedBy: 'text',
    hasMoved: 'boolean not null',
    moved: 'jsonb',
  },
  after: [
    'create index analytic_conversation_owner on analytic_conversation (owner, position)',
    'create index analytic_conversation_contact on analytic_conversation (contact_id)',
  ],
}
