import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface SearchRow {
  /** `<contactId>:<messageId>` */
  key: string
  contactId: string
  tenant: string | null
  /** The latest; null in older rows. */
  connectionId: string | null
  /** Log position. */
  place: string
  /** Distinct, each after a space, as in `wordsOf`. */
  words: string
  /** The file name's words. */
  fileWords: string | null
}

/** Tenant prefix in the index; queries compare `tenant` too. */
export const tenantMark = (tenant: string): string => tenant.slice(0, 8)

const markedWords = `replace(words, ' ', ' ' || left(owner, 8))`
/** Words with tenant prefix. */
export const indexedWords = `array_to_tsvector(string_to_array(substr(${markedWords}, 2), ' '))`

export const searchTable: Table<SearchRow> = {
  name: 'message_search',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    contactId: 'text collate "C" not null',
    tenant: 'text collate "C"',
    connectionId: 'text collate "C"',
    place: 'text collate "C" not null',
    words: 'text collate "C" not null',
    fileWords: 'text collate "C"',
  },
  added: { fileWords: { notKnownYet: true }, connectionId: { notKnownYet: true } },
  after: [
    'create index message_search_contact on message_search (contact_id)',
    'create index message_search_latest on message_search (owner, place)',
    // Every search scans the pending list (kB).
    `create index message_search_words on message_search using gin ((${indexedWords}))
     with (gin_pending_list_limit = 256)`,
  ],
}
