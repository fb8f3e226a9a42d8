import type { Stored } from '../../../event-store/codec.ts'
import { handlerOf, type Projection } from '../projection.ts'
import { storable } from '../table.ts'

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

/** Includes keys of `beside`. Throws `UnfoldableEvent`. */
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

/** Rows that events most likely create need no look-up. Throws `UnfoldableEvent`. */
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

/** Throws `UnfoldableEvent`. */
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

/** Loaded rows hold the storable form of the value, new rows the value itself. */
const purge = <Row extends object>(rows: Rows<Row>, column: keyof Row, value: string) => {
  const stored = storable(value)
  for (const [key, row] of rows) if (row[column] === value || row[column] === stored) rows.delete(key)
}
