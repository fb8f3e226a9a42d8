import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ContactNoteRow {
  id: string
  owner: string | null
  contactId: string
  text: string
  writtenAt: string
  attendantId: string
}

export const contactNoteTable: Table<ContactNoteRow> = {
  name: 'contact_note',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    contactId: 'text collate "C" not null',
    text: 'text not null',
    writtenAt: 'text collate "C" not null',
    attendantId: 'text collate "C" not null',
  },
  after: ['create index contact_note_contact on contact_note (contact_id, written_at desc, id)'],
}
