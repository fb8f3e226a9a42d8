import type { Table } from '@prosa/kernel/consumers/projections/table'
import { wordsIn } from '../../word-index.ts'

/** Words of one event's reason; gone with the key that encrypts it. */
export interface ReasonRow {
  /** The event's id. */
  id: string
  /** Log position. */
  place: string
  /** Whose key encrypts it. */
  subject: string
  /** In the form of `indexedText`. */
  words: string
}

export const reasonTable: Table<ReasonRow> = {
  name: 'history_reason',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    place: 'text collate "C" not null',
    subject: 'text collate "C" not null',
    words: 'text collate "C" not null',
  },
  after: [
    `create index history_reason_words on history_reason using gin ((${wordsIn('words')}))`,
    'create index history_reason_subject on history_reason (subject)',
  ],
}
