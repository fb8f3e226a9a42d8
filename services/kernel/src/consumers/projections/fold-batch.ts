import type { Stored } from '../../event-store/codec.ts'
import { handlerOf, type Projection } from './projection.ts'
import { storable } from './table.ts'

/** A projection's own code failed on an event. */
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

/** The keys of all rows that the events belong to or depend on, each once. Throws `UnfoldableEvent`. */
export const touchedKeys = <Row extends object>(projection: Projection<Row>, events: readonly Stored[]): string[] => {
  const keys = new Set<string>()
  for (const event of events) {
    const handler = handlerOf(projection, event)
    if (!handler || !('row' in handler)) continue
    keys.add(orUnfoldable(event, () => storable(handler.key(event))))
    const { beside } = handler
    if (beside) keys.add(orUnfoldable(event, () => storable(beside(event))))
  }
  return [...keys]
}

/** The keys whose rows the events are likely to make, so that they are not looked for before. Throws `UnfoldableEvent`. */
export const presumedNew = <Row extends object>(
  projection: Projection<Row>,
  events: readonly Stored[],
): ReadonlySet<string> => {
  const first = new Set<string>()
  const seen = new Set<string>()
  for (const event of events) {
    const handler = handlerOf(projection, event)
    if (!handler || !('row' in handler)) continue
    const key = orUnfoldable(event, () => storable(handler.key(event)))
    if (handler.makes && !seen.has(key)) first.add(key)
    seen.add(key)
    const { beside } = handler
    if (beside) seen.add(orUnfoldable(event, () => storable(beside(event))))
  }
  return first
}

/** The values that the events purge, by column, each once. Throws `UnfoldableEvent`. */
export const purgedValues = <Row extends object>(
  projection: Projection<Row>,
  events: readonly Stored[],
): Map<keyof Row & string, string[]> => {
  const purged = new Map<keyof Row & string, string[]>()
  for (const event of events) {
    const handler = handlerOf(projection, event)
    if (!handler || 'row' in handler) continue
    const { column, value } = handler.purge
    const values = purged.get(column) ?? []
    const found = orUnfoldable(event, () => storable(value(event)))
    if (!values.includes(found)) purged.set(column, [...values, found])
  }
  return purged
}

/** The rows as they are after the events, by key; `rows` itself stays as it was. Throws `UnfoldableEvent`. */
export const foldBatch = <Row extends object>(
  projection: Projection<Row>,
  rows: ReadonlyMap<string, Row>,
  events: readonly Stored[],
): Map<string, Row> => {
  const folded = new Map(rows)
  for (const event of events) foldInto(projection, folded, event)
  return folded
}

/** Rows by key, as far as folding needs them. */
export interface Rows<Row> extends Iterable<[string, Row]> {
  get(key: string): Row | undefined
  set(key: string, row: Row): unknown
  delete(key: string): unknown
}

/** Applies the event to the rows. Throws `UnfoldableEvent`, and then has changed nothing. */
export const foldInto = <Row extends object>(projection: Projection<Row>, rows: Rows<Row>, event: Stored): void => {
  const handler = handlerOf(projection, event)
  if (!handler) return
  orUnfoldable(event, () => {
    if ('purge' in handler) return purge(rows, handler.purge.column, handler.purge.value(event))
    const key = storable(handler.key(event))
    const row = handler.row(rows.get(key), event, handler.beside && rows.get(storable(handler.beside(event))))
    if (row) rows.set(key, row)
    else rows.delete(key)
  })
}

/** Rows that were loaded hold what PostgreSQL could store of the value, rows that are new hold the value itself. */
const purge = <Row extends object>(rows: Rows<Row>, column: keyof Row, value: string) => {
  const stored = storable(value)
  for (const [key, row] of rows) if (row[column] === value || row[column] === stored) rows.delete(key)
}
