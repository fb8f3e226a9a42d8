import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface SearchRow {
  /** As in chat-messages: `<contactId>:<messageId>`. */
  key: string
  contactId: string
  owner: string | null
  /** Over which connection it came, or was sent last; null in rows of a version that did not keep it. */
  connectionId: string | null
  /** Position in the log of the event that brought the message. */
  place: string
  /** Every word once, with a space before it, in the form of `wordsOf`. */
  words: string
  /** Those of the name of its file, in the same form; null where it has no file. */
  fileWords: string | null
}

/** Tenants are distinguished inside the index by so many characters of their ids; `owner` is compared besides. */
export const tenantMark = (owner: string): string => owner.slice(0, 8)

const markedWords = `replace(words, ' ', ' ' || left(owner, 8))`
/** What the index holds: each word with the mark of its tenant before it. */
export const indexedWords = `array_to_tsvector(string_to_array(substr(${markedWords}, 2), ' '))`

export const searchTable: Table<SearchRow> = {
  name: 'message_search',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    contactId: 'text collate "C" not null',
    owner: 'text collate "C"',
    connectionId: 'text collate "C"',
    place: 'text collate "C" not null',
    words: 'text collate "C" not null',
    fileWords: 'text collate "C"',
  },
  added: { fileWords: { notKnownYet: true }, connectionId: { notKnownYet: true } },
  after: [
    'create index message_search_contact on message_search (contact_id)',
    'create index message_search_latest on message_search (owner, place)',
    // What was added last waits in a list that every search reads through: a short one, in kilobytes.
    `create index message_search_words on message_search using gin ((${indexedWords}))
     with (gin_pending_list_limit = 256)`,
  ],
}
