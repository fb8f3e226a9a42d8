import type { EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import type { Stored, StoredOf } from '../../event-store/codec.ts'
import type { Table } from './table.ts'

/**
 * For one event type: which row it belongs to, and how that row looks afterwards (undefined: there is none, it is deleted).
 * `beside` is the key of another row that the change depends on: it is handed in as it is at this place of the log, and stays.
 */
export interface RowHandler<Row, E extends Stored> {
  key: (event: E) => string
  /** The event nearly always makes the row, which is not looked for first: the write finds out where it was there after all. */
  makes?: true
  beside?: (event: E) => string
  row: (row: Row | undefined, event: E, beside: Row | undefined) => Row | undefined
}

/**
 * For an event type that ends many rows at once: every row that holds the value in this column is deleted, also those that
 * events before it in the same batch made; rows that later events make stay. The column is text and has an index in
 * `table.after` that begins with it. For example all messages of an erased contact:
 * `ContactErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } }`
 */
export interface PurgeHandler<Row, E extends Stored> {
  purge: { column: keyof Row & string; value: (event: E) => string }
}

export type Handler<Row, E extends Stored> = RowHandler<Row, E> | PurgeHandler<Row, E>

/**
 * One read model. The record `on` is the filter. Handlers are pure and never change the row they are given; the runner loads
 * the rows of a whole batch, folds, and writes them and the checkpoint in one transaction. A changed table or handler needs
 * a higher `version`: the read model is then built anew from the log.
 */
export interface Projection<Row extends object> {
  name: string
  version: number
  categories: readonly Category[]
  table: Table<Row>
  on: { [T in EventType]?: Handler<Row, StoredOf<T>> }
  /**
   * So much later the checkpoint is moved over events that change nothing here, 25 ms unless given. Longer for a read model that follows
   * a busy category and is concerned by little of it: each move is a write.
   */
  passingMs?: number
}

/** The handler of one event, if the projection has one. */
export const handlerOf = <Row extends object>(
  projection: Projection<Row>,
  event: Stored,
): Handler<Row, Stored> | undefined => projection.on[event.type] as Handler<Row, Stored> | undefined
