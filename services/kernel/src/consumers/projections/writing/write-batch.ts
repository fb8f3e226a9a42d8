import type { Pool, PoolClient } from 'pg'
import type { Stored } from '../../../event-store/codec.ts'
import type { Position } from '../../../event-store/port.ts'
import { transaction } from '../../../postgres/pool.ts'
import type { ParkingChange } from '../../engine/announcement.ts'
import { holdCheckpoint, saveCheckpoint } from '../../engine/checkpoints.ts'
import { Overtaken } from '../../engine/epochs.ts'
import type { Projection } from '../projection.ts'
import { changeRows, deleteRows, loadRows, upsertRows } from '../table.ts'
import { changesOfMany, foldBatch, touchedKeys } from './fold-batch.ts'

/** Joins the transaction and its notification. */
export interface Alongside {
  store: (db: PoolClient) => Promise<void>
  parking?: ParkingChange
}

/** Atomic from `expected` to `upTo`; throws `Overtaken` on another checkpoint. */
export const writeBatch = <Row extends object>(
  pool: Pool,
  projection: Projection<Row>,
  events: readonly Stored[],
  expected: Position,
  upTo: Position,
  alongside?: Alongside,
): Promise<void> => {
  const { name, version, table } = projection
  const keys = touchedKeys(projection, events)
  const many = changesOfMany(projection, events)
  return transaction(pool, async (db) => {
    if (!(await holdCheckpoint(db, name, version, expected))) throw new Overtaken(`${name} was moved by somebody else`)
    await alongside?.store(db)
    const before = keys.length > 0 ? await loadRows(db, table, keys) : new Map<string, Row>()
    const after = foldBatch(projection, before, events)
    // Many rows first: a later event of the batch may recreate a row, and those of `after` have these changes.
    for (const change of many) await changeRows(db, table, change)
    const changed = [...after].filter(([key, row]) => before.get(key) !== row).map(([, row]) => row)
    await upsertRows(db, table, changed)
    await deleteRows(
      db,
      table,
      [...before.keys()].filter((key) => !after.has(key)),
    )
    const tenants = events.map(({ metadata }) => metadata.tenant)
    await saveCheckpoint(db, name, version, upTo, tenants, alongside?.parking)
  })
}
