import type { Table } from '@prosa/kernel/consumers/projections/table'
import { wordsIn } from '../word-index.ts'

export interface DirectoryRow {
  id: string
  owner: string | null
  /** Log position: the order. */
  place: string
  whatsappName: string | null
  givenName: string | null
  phone: string | null
  /** Merged into a listed contact. */
  isAbsorbed: boolean
  /** In the form of `indexedText`. */
  words: string
}

/** Separate from `contact-list`, where each message would rewrite a word index. */
export const directoryTable: Table<DirectoryRow> = {
  name: 'contact_directory',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    place: 'text collate "C" not null',
    whatsappName: 'text',
    givenName: 'text',
    phone: 'text',
    isAbsorbed: 'boolean not null',
    words: 'text collate "C" not null',
  },
  after: [
    'create index contact_directory_latest on contact_directory (place desc) where not is_absorbed',
    `create index contact_directory_words on contact_directory using gin ((${wordsIn('words')}))`,
  ],
}
