import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface Wait {
  /** The merged contact; null: its own wait. */
  of: string | null
  since: string
  /** `causationId` of the merge. */
  mergedBy: string | null
}

/** A contact, or one acceptance of its conversation. */
export interface ConversationWaitRow {
  /** `<contact>`, or `<contact> <log position>` (acceptance). */
  key: string
  tenant: string
  addedAt: string | null
  /** Merged; the other counts for both. */
  isAbsorbed: boolean
  /** Not resolved: the next message may start a wait. */
  isOpen: boolean
  mergedBy: string | null
  waits: readonly Wait[]
  /** Only for acceptances. */
  acceptedAt: string | null
  waitedSeconds: number | null
}

export const conversationWaitTable: Table<ConversationWaitRow> = {
  name: 'conversation_wait',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    addedAt: 'text collate "C"',
    isAbsorbed: 'boolean not null',
    isOpen: 'boolean not null',
    mergedBy: 'text',
    waits: 'jsonb not null',
    acceptedAt: 'text collate "C"',
    waitedSeconds: 'int',
  },
  after: [
    'create index conversation_wait_added on conversation_wait (owner, added_at) where added_at is not null',
    'create index conversation_wait_accepted on conversation_wait (owner, accepted_at) where accepted_at is not null',
    'create index conversation_wait_owner on conversation_wait (owner)',
  ],
}
