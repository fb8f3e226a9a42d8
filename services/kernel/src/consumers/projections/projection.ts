import type { EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import type { Stored, StoredOf } from '../../event-store/codec.ts'
import type { Table } from './table.ts'

/** Undefined deletes the row. `beside`: key of another row that the fold reads at this position. */
export interface RowHandler<Row, E extends Stored> {
  key: (event: E) => string
  /** Nearly always new: no look-up, the write detects duplicates. */
  makes?: true
  beside?: (event: E) => string
  row: (row: Row | undefined, event: E, beside: Row | undefined) => Row | undefined
}

/**
 * Deletes all rows with this value, also those from earlier events of the batch. The text column must lead an index in `table.after`. E.g.
 * `ContactErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } }`
 */
export interface PurgeHandler<Row, E extends Stored> {
  purge: { column: keyof Row & string; value: (event: E) => string }
}

/** Sets columns of all rows with this value, as `PurgeHandler` finds them; never the column that finds them. */
export interface UpdateHandler<Row, E extends Stored> {
  update: { column: keyof Row & string; value: (event: E) => string; set: (event: E) => Partial<Row> }
}

export type Handler<Row, E extends Stored> = RowHandler<Row, E> | PurgeHandler<Row, E> | UpdateHandler<Row, E>

/**
 * Handlers are pure and never mutate rows; batch and checkpoint commit together. A changed table or handler needs a higher `version`, which
 * rebuilds the rows.
 */
export interface Projection<Row extends object> {
  name: string
  version: number
  categories: readonly Category[]
  table: Table<Row>
  /** Of several, rows are folded one after the other, then many rows change. */
  on: { [T in EventType]?: Handler<Row, StoredOf<T>> | readonly Handler<Row, StoredOf<T>>[] }
}

const none: readonly never[] = []

export const handlersOf = <Row extends object>(
  projection: Projection<Row>,
  event: Stored,
): readonly Handler<Row, Stored>[] => {
  const handler = projection.on[event.type] as Handler<Row, Stored> | readonly Handler<Row, Stored>[] | undefined
  if (!handler) return none
  return 'length' in handler ? handler : [handler]
}
