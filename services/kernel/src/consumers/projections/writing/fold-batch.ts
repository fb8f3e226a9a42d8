import type { Stored } from '../../../event-store/codec.ts'
import { handlersOf, type Projection, type PurgeHandler, type RowHandler, type UpdateHandler } from '../projection.ts'
import { type ManyRows, storable } from '../table.ts'

export class UnfoldableEvent extends Error {
  override name = 'UnfoldableEvent'
}

const orUnfoldable = <T>(event: Stored, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    throw new UnfoldableEvent(`${event.type} could not be folded`, { cause })
  }
}

function* rowHandlers<Row extends object>(
  projection: Projection<Row>,
  events: readonly Stored[],
): Generator<[Stored, RowHandler<Row, Stored>]> {
  for (const event of events)
    for (const handler of handlersOf(projection, event)) if ('row' in handler) yield [event, handler]
}

/** Includes keys of `beside`. Throws `UnfoldableEvent`. */
export const touchedKeys = <Row extends object>(projection: Projection<Row>, events: readonly Stored[]): string[] => {
  const keys = new Set<string>()
  for (const [event, { key, beside }] of rowHandlers(projection, events)) {
    keys.add(orUnfoldable(event, () => storable(key(event))))
    if (beside) keys.add(orUnfoldable(event, () => storable(beside(event))))
  }
  return [...keys]
}

/** Rows that events most likely create need no look-up. Throws `UnfoldableEvent`. */
export const presumedNew = <Row extends object>(
  projection: Projection<Row>,
  events: readonly Stored[],
): ReadonlySet<string> => {
  const first = new Set<string>()
  const seen = new Set<string>()
  for (const [event, { key: keyOf, makes, beside }] of rowHandlers(projection, events)) {
    const key = orUnfoldable(event, () => storable(keyOf(event)))
    if (makes && !seen.has(key)) first.add(key)
    seen.add(key)
    if (beside) seen.add(orUnfoldable(event, () => storable(beside(event))))
  }
  return first
}

/** In order; purges of one column that follow each other are one. Throws `UnfoldableEvent`. */
export const changesOfMany = <Row extends object>(
  projection: Projection<Row>,
  events: readonly Stored[],
): ManyRows<Row>[] => {
  const changes: ManyRows<Row>[] = []
  for (const event of events)
    for (const handler of handlersOf(projection, event)) {
      if ('row' in handler) continue
      const many = orUnfoldable(event, () => manyOf(handler, event))
      const last = changes.at(-1)
      if (!last || last.set || many.set || last.column !== many.column) changes.push(many)
      else changes[changes.length - 1] = { ...last, values: [...last.values, ...many.values] }
    }
  return changes
}

const manyOf = <Row extends object>(
  handler: PurgeHandler<Row, Stored> | UpdateHandler<Row, Stored>,
  event: Stored,
): ManyRows<Row> => {
  if ('purge' in handler) return { column: handler.purge.column, values: [handler.purge.value(event)] }
  const { column, value, set } = handler.update
  return { column, values: [value(event)], set: set(event) }
}

/** Does not change `rows`. Throws `UnfoldableEvent`. */
export const foldBatch = <Row extends object>(
  projection: Projection<Row>,
  rows: ReadonlyMap<string, Row>,
  events: readonly Stored[],
): Map<string, Row> => {
  const folded = new Map(rows)
  for (const event of events) foldInto(projection, folded, event)
  return folded
}

export interface Rows<Row> extends Iterable<[string, Row]> {
  get(key: string): Row | undefined
  set(key: string, row: Row): unknown
  delete(key: string): unknown
}

/** On `UnfoldableEvent` nothing has changed. */
export const foldInto = <Row extends object>(projection: Projection<Row>, rows: Rows<Row>, event: Stored): void => {
  const handlers = handlersOf(projection, event)
  if (handlers.length === 0) return
  orUnfoldable(event, () => {
    const made = new Map<string, Row | undefined>()
    const many: ManyRows<Row>[] = []
    const find = (key: string) => (made.has(key) ? made.get(key) : rows.get(key))
    for (const handler of handlers) {
      if (!('row' in handler)) many.push(manyOf(handler, event))
      else {
        const key = storable(handler.key(event))
        made.set(key, handler.row(find(key), event, handler.beside && find(storable(handler.beside(event)))))
      }
    }
    for (const [key, row] of made)
      if (row) rows.set(key, row)
      else rows.delete(key)
    for (const change of many) changeMany(rows, change)
  })
}

/** Loaded rows hold the storable form of the value, new rows the value itself. */
const changeMany = <Row extends object>(rows: Rows<Row>, { column, values, set }: ManyRows<Row>) => {
  const known = new Set<unknown>([...values, ...values.map(storable)])
  for (const [key, row] of rows) {
    if (!known.has(row[column])) continue
    if (set) rows.set(key, { ...row, ...set })
    else rows.delete(key)
  }
}
