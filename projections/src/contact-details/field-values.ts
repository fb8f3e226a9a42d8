import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ContactFieldValueRow {
  /** Contact and field. */
  id: string
  tenant: string | null
  contactId: string
  fieldId: string
  value: string
}

const contactFieldValueTable: Table<ContactFieldValueRow> = {
  name: 'contact_field_value',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    contactId: 'text collate "C" not null',
    fieldId: 'text collate "C" not null',
    value: 'text not null',
  },
  after: ['create index contact_field_value_contact on contact_field_value (contact_id)'],
}

/** A deleted field leaves its values, which nobody reads. */
export const contactFieldValues: Projection<ContactFieldValueRow> = {
  name: 'contact-field-values',
  version: 1,
  categories: ['contact'],
  table: contactFieldValueTable,
  on: {
    ContactFieldSet: {
      key: ({ stream, data: { fieldId } }) => `${parseStream(stream).id} ${fieldId}`,
      makes: true,
      row: (_, { stream, data: { fieldId, value }, metadata }) => {
        const contactId = parseStream(stream).id
        if (value === null) return undefined
        return { id: `${contactId} ${fieldId}`, tenant: metadata.tenant, contactId, fieldId, value }
      },
    },
    ContactErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } },
  },
}
