import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Projection } from '../projections/projection.ts'
import { idOf } from './test-log.ts'

interface Name {
  id: string
  name: string
}
interface MeasuredName extends Name {
  letters: number | null
  initial: string | null
}

export const old: Projection<Name> = {
  name: 'shown-names',
  version: 1,
  categories: ['contact'],
  table: {
    name: 'shown_names',
    key: 'id',
    columns: { id: 'text collate "C"', name: 'text not null' },
    after: ['create index shown_names_name on shown_names (name)'],
  },
  on: {
    ContactNamed: { key: ({ stream }) => stream, row: (_, { stream, data }) => ({ id: stream, name: data.name }) },
  },
}

export const renewed: Projection<MeasuredName> = {
  ...old,
  version: 2,
  table: {
    ...old.table,
    columns: { ...old.table.columns, letters: 'int not null', initial: 'text' },
    added: { letters: { notKnownYet: true }, initial: { was: `'?'` } },
  },
  on: {
    ContactNamed: {
      key: ({ stream }) => stream,
      row: (_, { stream, data: { name } }) => ({
        id: stream,
        name: name.toUpperCase(),
        letters: name.length,
        initial: name[0] ?? null,
      }),
    },
  },
}

export const contact = `contact-${idOf('contact')}`
export const named = (name: string): AnyEvent => ({ type: 'ContactNamed', data: { name } })
