import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Since when somebody waits, as far as a contact knows. */
export interface Wait {
  /** The contact that was merged into this one; null for its own waiting. */
  of: string | null
  since: string
  /** What led to the merge, as the metadata of its events name it. */
  mergedBy: string | null
}

/** A contact, or one acceptance of its conversation. */
export interface ConversationWaitRow {
  /** The contact's id; of an acceptance `<contact> <place in the log>`. */
  key: string
  owner: string
  /** When the contact was added; null of an acceptance. */
  addedAt: string | null
  /** It was merged into another one, which counts for both. */
  isAbsorbed: boolean
  /** Not resolved: whoever writes begins to wait, unless somebody waits already. */
  isOpen: boolean
  /** What led to the latest merge into it. */
  mergedBy: string | null
  waits: readonly Wait[]
  /** Null of a contact, as the seconds are. */
  acceptedAt: string | null
  waitedSeconds: number | null
}

export const conversationWaitTable: Table<ConversationWaitRow> = {
  name: 'conversation_wait',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    owner: 'text collate "C" not null',
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
