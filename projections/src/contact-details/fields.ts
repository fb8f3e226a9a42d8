import { parseStream } from '@prosa/contracts/streams'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import { plain } from '../search-text.ts'

export interface ContactFieldRow {
  id: string
  tenant: string
  name: string
  variable: string
  type: AnswerType
  /** Without accents and case. */
  sortName: string
}

const contactFieldTable: Table<ContactFieldRow> = {
  name: 'contact_field',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
    name: 'text not null',
    variable: 'text collate "C" not null',
    type: 'text collate "C" not null',
    sortName: 'text collate "C" not null',
  },
  after: ['create index contact_field_owner on contact_field (owner, sort_name, id)'],
}

const key = ({ data }: { data: { fieldId: string } }) => data.fieldId

export const contactFields: Projection<ContactFieldRow> = {
  name: 'contact-fields',
  version: 1,
  categories: ['contactField', 'user'],
  table: contactFieldTable,
  on: {
    ContactFieldCreated: {
      key,
      row: (_, { stream, data: { fieldId, name, variable, type } }) => ({
        id: fieldId,
        tenant: parseStream(stream).id,
        name,
        variable,
        type,
        sortName: plain(name),
      }),
    },
    ContactFieldRenamed: { key, row: (row, { data: { name } }) => row && { ...row, name, sortName: plain(name) } },
    ContactFieldDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
