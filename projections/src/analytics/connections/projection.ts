import { parseStream } from '@prosa/contracts/streams'
import type { Handler, Projection, RowHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { type AnalyticConnectionRow, analyticConnectionTable } from './table.ts'

type Row = AnalyticConnectionRow

const key = ({ stream }: Stored) => parseStream(stream).id
const keyOfEnd = (event: Stored) => `${key(event)} ${event.position}`

/** A restart after linking, within the same second. */
const restartAfterLinking = 515

/** What was online until here becomes a row of its own. */
const ended = <E extends Stored>(isInterruption: boolean, isEnd: (event: E) => boolean): RowHandler<Row, E> => ({
  key: keyOfEnd,
  beside: key,
  row: (_, event, row) =>
    row && row.onlineFrom !== null && isEnd(event)
      ? {
          ...row,
          key: keyOfEnd(event),
          position: event.position,
          addedAt: null,
          onlineUntil: event.metadata.recordedAt,
          isInterruption,
        }
      : undefined,
})

const offline = <E extends Stored>(
  isInterruption: boolean,
  { isEnd = () => true, isRemoved = false }: { isEnd?: (event: E) => boolean; isRemoved?: boolean } = {},
): Handler<Row, E>[] => [
  ended(isInterruption, isEnd),
  {
    key,
    row: (row, event) =>
      row && isEnd(event)
        ? {
            ...row,
            position: event.position,
            onlineFrom: null,
            removedAt: isRemoved ? event.metadata.recordedAt : row.removedAt,
          }
        : row,
  },
]

/** Times online; days are cut from them when they are read. */
export const analyticConnections: Projection<Row> = {
  name: 'analytic-connections',
  version: 1,
  categories: ['connection', 'user'],
  table: analyticConnectionTable,
  on: {
    ConnectionAdded: {
      key,
      row: (_, event) => {
        const { tenant, recordedAt } = event.metadata
        if (tenant === null) return undefined
        return {
          key: key(event),
          tenant,
          position: event.position,
          connectionId: key(event),
          addedAt: recordedAt,
          removedAt: null,
          network: event.data.network ?? null,
          onlineFrom: null,
          onlineUntil: null,
          isInterruption: false,
        }
      },
    },
    LineOpened: {
      key,
      row: (row, event) =>
        row && row.onlineFrom === null
          ? { ...row, position: event.position, onlineFrom: event.metadata.recordedAt }
          : row,
    },
    LineDropped: offline<StoredOf<'LineDropped'>>(true, { isEnd: ({ data }) => data.code !== restartAfterLinking }),
    ConnectionReplaced: offline(true),
    ConnectionRefused: offline(true),
    NumberUnlinked: offline(true),
    ConnectionDisconnected: offline(false),
    ConnectionRemoved: offline(false, { isRemoved: true }),
    UserErased: { purge: { column: 'tenant', value: key } },
  },
}
