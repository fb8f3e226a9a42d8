import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

interface UnidentifiedRow {
  contactId: string
  tenant: string
}

const unidentifiedTable: Table<UnidentifiedRow> = {
  name: 'unidentified_number',
  key: 'contactId',
  columns: {
    contactId: 'text collate "C"',
    tenant: 'text collate "C" not null',
  },
  after: ['create index unidentified_number_owner on unidentified_number (owner)'],
}

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

const gone = { key, row: () => undefined }

/** Added while WhatsApp could not be asked; they may write from an unknown LID. */
export const unidentifiedNumbers: Projection<UnidentifiedRow> = {
  name: 'unidentified-numbers',
  version: 1,
  categories: ['contact', 'user'],
  table: unidentifiedTable,
  on: {
    ContactAdded: {
      key,
      row: (row, event) => {
        const { tenant } = event.metadata
        if (event.data.origin !== 'attendant' || event.data.lid !== null || tenant === null) return row
        return { contactId: key(event), tenant }
      },
    },
    ContactIdentified: { key, row: (row, { data: { lid } }) => (lid === null ? row : undefined) },
    ContactAbsorbed: gone,
    ContactErased: gone,
    UserErased: { purge: { column: 'tenant', value: key } },
  },
}
