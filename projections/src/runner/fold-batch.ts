import type { Stored } from '@prosa/kernel/event-store/codec'
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

/** The keys of all rows that the events belong to, each once. Throws `UnfoldableEvent`. */
export const touchedKeys = <Row extends object>(projection: Projection<Row>, events: readonly Stored[]): string[] => {
  const keys = new Set<string>()
  for (const event of events) {
    const handler = handlerOf(projection, event)
    if (handler) keys.add(orUnfoldable(event, () => storable(handler.key(event))))
  }
  return [...keys]
}

/** The rows as they are after the events, by key; `rows` itself stays as it was. Throws `UnfoldableEvent`. */
export const foldBatch = <Row extends object>(
  projection: Projection<Row>,
  rows: ReadonlyMap<string, Row>,
  events: readonly Stored[],
): Map<string, Row> => {
  const folded = new Map(rows)
  for (const event of events) {
    const handler = handlerOf(projection, event)
    if (!handler) continue
    orUnfoldable(event, () => {
      const key = storable(handler.key(event))
      const row = handler.row(folded.get(key), event)
      if (row) folded.set(key, row)
      else folded.delete(key)
    })
  }
  return folded
}
