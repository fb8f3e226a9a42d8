import type { EventType } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

interface OpenLineRow {
  connectionId: string
  owner: string
}

const openLineTable: Table<OpenLineRow> = {
  name: 'open_line',
  key: 'connectionId',
  columns: { connectionId: 'text collate "C"', owner: 'text collate "C" not null' },
  after: ['create index open_line_owner on open_line (owner)'],
}

const whenDown = [
  'LineDropped',
  'ConnectionReplaced',
  'ConnectionRefused',
  'NumberUnlinked',
  'ConnectionDisconnected',
  'ConnectionRemoved',
] as const satisfies readonly EventType[]

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

/** The connections whose line is up, by subscriber, so that nobody waits for an answer that no line can give. */
export const openLines: Projection<OpenLineRow> = {
  name: 'open-lines',
  version: 1,
  categories: ['connection'],
  table: openLineTable,
  on: {
    ...Object.fromEntries(whenDown.map((type) => [type, { key, row: () => undefined }])),
    LineOpened: {
      key,
      row: (row, event) => (event.metadata.owner ? { connectionId: key(event), owner: event.metadata.owner } : row),
    },
  },
}
