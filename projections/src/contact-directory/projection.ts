import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import { searchable } from '../search-text.ts'
import { indexedText, wordsIn } from '../word-index.ts'

export interface DirectoryRow {
  id: string
  tenant: string | null
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
    tenant: 'text collate "C"',
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

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** '5511988776655', '11988776655', '988776655'. */
const numberForms = (phone: string | null): string[] =>
  phone === null
    ? []
    : searchable([], phone)
        .split('\n')
        .flatMap((form) => [form, form.replace(/^55/, ''), form.replace(/^55\d\d/, '')])

const found = (row: DirectoryRow): DirectoryRow => ({
  ...row,
  words: indexedText([row.givenName, row.whatsappName, ...numberForms(row.phone)]),
})

/** Deleted on erasure. */
export const contactDirectory: Projection<DirectoryRow> = {
  name: 'contact-directory',
  version: 2,
  categories: ['contact'],
  table: directoryTable,
  on: {
    ContactAdded: {
      key,
      row: (_, { stream, data: { name, phone }, metadata, position }) =>
        found({
          id: parseStream(stream).id,
          tenant: metadata.tenant,
          place: position,
          whatsappName: name,
          givenName: null,
          phone,
          isAbsorbed: false,
          words: '',
        }),
    },
    ContactIdentified: { key, row: (row, { data: { phone } }) => row && found({ ...row, phone }) },
    ContactNamed: { key, row: (row, { data: { name } }) => row && found({ ...row, whatsappName: name }) },
    ContactRenamed: { key, row: (row, { data: { name } }) => row && found({ ...row, givenName: name }) },
    ContactNumberPassedOn: { key, row: (row) => row && found({ ...row, phone: null }) },
    ContactAbsorbed: { key, row: (row) => row && { ...row, isAbsorbed: true } },
    ContactRestored: { key, row: (row) => row && { ...row, isAbsorbed: false } },
    ContactErased: { key, row: () => undefined },
  },
}
