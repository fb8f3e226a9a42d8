import type { Table } from '@prosa/kernel/consumers/projections/table'
import { wordsIn } from '../word-index.ts'

export interface DirectoryRow {
  id: string
  owner: string | null
  /** Position in the log of the event that added the contact: the order of the list. */
  place: string
  whatsappName: string | null
  givenName: string | null
  phone: string | null
  /** It was merged into another one, which is listed. */
  isAbsorbed: boolean
  /** Of its names and every way to write its number, as `indexedText` has them. */
  words: string
}

/**
 * What finds a contact among those of all accounts. It is apart from `contact-list`, every row of which is written with every
 * message: an index over words would be, too.
 */
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
