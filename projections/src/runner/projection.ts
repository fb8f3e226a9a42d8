import type { AnyEvent, EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Table } from './table.ts'

export type StoredOf<T extends EventType> = Stored<Extract<AnyEvent, { type: T }>>

/** For one event type: which row it belongs to, and how that row looks afterwards (undefined: there is none). */
export interface Handler<Row, E extends Stored> {
  key: (event: E) => string
  row: (row: Row | undefined, event: E) => Row | undefined
}

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
}

/** The handler of one event, if the projection has one. */
export const handlerOf = <Row extends object>(
  projection: Projection<Row>,
  event: Stored,
): Handler<Row, Stored> | undefined => projection.on[event.type] as Handler<Row, Stored> | undefined
