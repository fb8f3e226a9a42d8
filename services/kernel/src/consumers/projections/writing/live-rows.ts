import type { Pool } from 'pg'
import type { Stored } from '../../../event-store/codec.ts'
import type { Position } from '../../../event-store/port.ts'
import { lruMap } from '../../../lru-map.ts'
import type { Projection } from '../projection.ts'
import { loadRows, rowsText } from '../table.ts'
import { changesOfMany, foldBatch, presumedNew, touchedKeys } from './fold-batch.ts'
import { type Alongside, writeBatch } from './write-batch.ts'
import type { WriteTogether } from './write-together.ts'

const maxRows = 2000

/** Folds events from the expected checkpoint; `alongside` joins the transaction. Throws `Overtaken`. */
export type FoldIn = (
  events: readonly Stored[],
  expected: Position,
  upTo: Position,
  alongside?: Alongside,
) => Promise<void>

/** Caches rows it wrote. Valid while each write finds the expected checkpoint, so for one session. */
export const liveRows = <Row extends object>(
  projection: Projection<Row>,
  pool: Pool,
  together: WriteTogether,
): FoldIn => {
  const { name, version, table } = projection
  let known = lruMap<string, Row>(maxRows)

  const rowsBefore = async (keys: readonly string[], unseen: ReadonlySet<string>): Promise<Map<string, Row>> => {
    const before = new Map<string, Row>()
    const missing: string[] = []
    for (const key of keys) {
      const row = known.get(key)
      if (row) before.set(key, row)
      else if (!unseen.has(key)) missing.push(key)
    }
    if (missing.length > 0) for (const [key, row] of await loadRows(pool, table, missing)) before.set(key, row)
    return before
  }

  /** False when more than row writes is needed, or the cache is stale. */
  const writeChanged = async (events: readonly Stored[], expected: Position, upTo: Position): Promise<boolean> => {
    if (changesOfMany(projection, events).length > 0) return false
    const keys = touchedKeys(projection, events)
    const unseen = presumedNew(projection, events)
    const before = await rowsBefore(keys, unseen)
    const after = foldBatch(projection, before, events)
    for (const key of before.keys()) if (!after.has(key)) return false
    const changed = [...after].flatMap(([key, row]) => (before.get(key) === row ? [] : [row]))
    const absent = [...unseen].filter((key) => !before.has(key))
    const isWritten = await together.write({
      name,
      version,
      expected,
      upTo,
      tenants: events.map(({ metadata }) => metadata.tenant),
      ...(changed.length + absent.length > 0 && { rows: { table, text: rowsText(table, changed), absent } }),
    })
    if (isWritten) for (const [key, row] of after) known.set(key, row)
    return isWritten
  }

  return async (events, expected, upTo, alongside) => {
    // Without events the cache stays valid.
    if (alongside && events.length === 0) return writeBatch(pool, projection, [], expected, upTo, alongside)
    try {
      if (!alongside && (await writeChanged(events, expected, upTo))) return
    } catch (error) {
      known = lruMap(maxRows)
      throw error
    }
    known = lruMap(maxRows)
    await writeBatch(pool, projection, events, expected, upTo, alongside)
  }
}
