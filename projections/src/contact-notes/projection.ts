import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type ContactNoteRow, contactNoteTable } from './table.ts'

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
        owner: metadata.owner,
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
