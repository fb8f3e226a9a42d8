import type { EventType } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import { type LinkedNumber, withNumber } from '@prosa/contracts/values/lines'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

interface OpenLineRow {
  connectionId: string
  tenant: string
  isOpen: boolean
  isLinked: boolean
  isRemoved: boolean
  /** Log position; null in older rows. */
  addedAt: string | null
  numbers: readonly LinkedNumber[] | null
}

const openLineTable: Table<OpenLineRow> = {
  name: 'open_line',
  key: 'connectionId',
  columns: {
    connectionId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    isOpen: 'boolean not null',
    isLinked: 'boolean not null',
    isRemoved: 'boolean not null',
    addedAt: 'text collate "C"',
    numbers: 'jsonb',
  },
  // Older rows are open lines only.
  added: {
    isOpen: { was: 'true' },
    isLinked: { was: 'true' },
    isRemoved: { was: 'false' },
    addedAt: { notKnownYet: true },
    numbers: { notKnownYet: true },
  },
  after: ['create index open_line_owner on open_line (owner)'],
}

const whenDown = [
  'LineDropped',
  'ConnectionReplaced',
  'ConnectionRefused',
  'NumberUnlinked',
  'ConnectionDisconnected',
] as const satisfies readonly EventType[]

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

type Row = OpenLineRow | undefined

const added = (row: Row, event: Stored): Row => {
  const { tenant } = event.metadata
  if (row || tenant === null) return row
  const flags = { isOpen: false, isLinked: false, isRemoved: false }
  return { connectionId: key(event), tenant, ...flags, addedAt: event.position, numbers: [] }
}

const changed = (row: Row, event: Stored, change: Partial<OpenLineRow>): Row => {
  const known = added(row, event)
  return known && { ...known, ...change }
}

const goesDown = { key, row: (row: Row): Row => row && { ...row, isOpen: false } }

/** Includes removed ones: a successor may have their number. */
export const openLines: Projection<OpenLineRow> = {
  name: 'open-lines',
  version: 2,
  categories: ['connection', 'user'],
  table: openLineTable,
  on: {
    ...Object.fromEntries(whenDown.map((type) => [type, goesDown])),
    ConnectionAdded: { key, row: added },
    NumberLinked: {
      key,
      row: (row, event) => {
        const numbers = withNumber(row?.numbers ?? [], event.data.phone, event.metadata.recordedAt)
        return changed(row, event, { isLinked: true, numbers })
      },
    },
    LineOpened: { key, row: (row, event) => changed(row, event, { isOpen: true, isLinked: true }) },
    ConnectionRemoved: { key, row: (row) => row && { ...row, isOpen: false, isRemoved: true } },
    UserErased: { purge: { column: 'tenant', value: key } },
  },
}
