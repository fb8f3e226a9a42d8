import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ContactNoteRow {
  id: string
  tenant: string | null
  contactId: string
  text: string
  writtenAt: string
  attendantId: string
}

const contactNoteTable: Table<ContactNoteRow> = {
  name: 'contact_note',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    contactId: 'text collate "C" not null',
    text: 'text not null',
    writtenAt: 'text collate "C" not null',
    attendantId: 'text collate "C" not null',
  },
  after: ['create index contact_note_contact on contact_note (contact_id, written_at desc, id)'],
}

export const contactNotes: Projection<ContactNoteRow> = {
  name: 'contact-notes',
  version: 1,
  categories: ['contact'],
  table: contactNoteTable,
  on: {
    ContactNoteWritten: {
      key: ({ data }) => data.noteId,
      makes: true,
      row: (_, { stream, data: { noteId, text, attendantId }, metadata }) => ({
        id: noteId,
        tenant: metadata.tenant,
        contactId: parseStream(stream).id,
        text,
        writtenAt: metadata.recordedAt,
        attendantId,
      }),
    },
    ContactNoteRemoved: { key: ({ data }) => data.noteId, row: () => undefined },
    ContactErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } },
  },
}
