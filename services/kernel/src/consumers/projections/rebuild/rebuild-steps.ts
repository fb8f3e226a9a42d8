import type { Pool, PoolClient } from 'pg'
import { beginning, type Position } from '../../../event-store/port.ts'
import { transaction } from '../../../postgres/pool.ts'
import { withoutTimeout } from '../../../postgres/without-timeout.ts'
import { holdCheckpoint, rebuildOf, removeCheckpoint, renewalOf, saveCheckpoint } from '../../engine/checkpoints.ts'
import { type Epoch, holdEpoch, Overtaken } from '../../engine/epochs.ts'
import { projectionWorker } from '../parking/parked-tenants.ts'
import type { Projection } from '../projection.ts'
import {
  createRebuildSchema,
  currentRebuild,
  dropTable,
  endFilling,
  forgetParked,
  insideRebuildSchema,
  isCrowded,
  isMarkedComplete,
  lockPreparation,
  markComplete,
  rebuildSchema,
  replaceTable,
  takeOverParked,
  waitBriefly,
} from '../queries.ts'
import { addKey, createBareTable } from '../table.ts'
import { forgetProgress, markBuilt } from './rebuild-queries.ts'

/** Rebuild of a read model: own table, own checkpoint, no readers. */
export interface Shadow<Row extends object> extends Projection<Row> {
  of: Projection<Row>
}

/** A new version, or a renewal of the live one; only one exists at a time. */
export const shadowOf = <Row extends object>(
  projection: Projection<Row>,
  { isRenewal }: { isRenewal: boolean },
): Shadow<Row> => ({
  ...projection,
  of: projection,
  name: isRenewal ? renewalOf(projection.name) : rebuildOf(projection.name),
  table: { ...projection.table, name: `${rebuildSchema}.${projection.table.name}` },
})

export const workerOf = ({ name }: { name: string }): string => projectionWorker(name)

/** Throws `Overtaken` on another checkpoint. */
export const hold = async <Row extends object>(
  db: PoolClient,
  { name, version }: Projection<Row>,
  expected: Position,
): Promise<void> => {
  if (!(await holdCheckpoint(db, name, version, expected))) throw new Overtaken(`${name} was moved by somebody else`)
}

/** Resumes a rebuild of this version, or starts with an empty table. */
export const beginRebuild = <Row extends object>(
  pool: Pool,
  shadow: Shadow<Row>,
): Promise<{ position: Position; isComplete: boolean }> =>
  transaction(pool, async (db) => {
    const { of, name, version, table } = shadow
    await lockPreparation(db, of.name)
    await endFilling(db, of.name)
    await createRebuildSchema(db)
    await forgetProgress(db, of.name)
    const existing = await currentRebuild(db, name, table.name)
    if (existing?.version === version && existing.position !== beginning)
      return { position: existing.position, isComplete: await isMarkedComplete(db, table.name) }
    await beginBare(db, shadow)
    return { position: beginning, isComplete: false }
  })

const dropRebuild = async <Row extends object>(db: PoolClient, { of, table }: Shadow<Row>) => {
  await dropTable(db, table.name)
  for (const name of [rebuildOf(of.name), renewalOf(of.name)]) {
    await removeCheckpoint(db, name)
    await forgetParked(db, projectionWorker(name), { alsoReleased: true })
  }
}

const beginBare = async <Row extends object>(db: PoolClient, shadow: Shadow<Row>) => {
  await dropRebuild(db, shadow)
  await createBareTable(db, shadow.table)
  await saveCheckpoint(db, shadow.name, shadow.version, beginning)
}

export const beginWithIndexes = <Row extends object>(pool: Pool, shadow: Shadow<Row>): Promise<void> =>
  transaction(pool, async (db) => {
    await beginBare(db, shadow)
    await addKey(db, shadow.table)
    await addIndexes(db, shadow)
  })

const addIndexes = async <Row extends object>(db: PoolClient, { table }: Projection<Row>) => {
  await insideRebuildSchema(db)
  for (const statement of table.after ?? []) await db.query(withoutTimeout(statement))
  await markComplete(db, table.name)
}

export const completeRebuild = <Row extends object>(
  pool: Pool,
  shadow: Shadow<Row>,
  reached: Position,
): Promise<void> =>
  transaction(pool, async (db) => {
    await hold(db, shadow, reached)
    await addIndexes(db, shadow)
  })

/** Must be unchanged when a renewal is swapped in. */
export interface Shown {
  epoch: Epoch
  position: Position
}

/** False, without effect, when readers blocked it. A renewal must have reached all that is shown. Throws `Overtaken` where either moved. */
export const replace = async <Row extends object>(
  pool: Pool,
  shadow: Shadow<Row>,
  reached: Position,
  shown?: Shown,
): Promise<boolean> => {
  const { name, version, table } = shadow.of
  try {
    await transaction(pool, async (db) => {
      if (shown) await holdEpoch(db, shown.epoch)
      await lockPreparation(db, name)
      await hold(db, shadow, reached)
      if (shown) await hold(db, shadow.of, shown.position)
      await waitBriefly(db)
      await replaceTable(db, table.name)
      await removeCheckpoint(db, shadow.name)
      await takeOverParked(db, workerOf(shadow), projectionWorker(name))
      await forgetProgress(db, name)
      await markBuilt(db, name)
      // The live checkpoint may be ahead by irrelevant events.
      await saveCheckpoint(db, name, version, shown && shown.position > reached ? shown.position : reached)
    })
    return true
  } catch (error) {
    if (isCrowded(error)) return false
    throw error
  }
}

export const forgetRebuild = <Row extends object>(pool: Pool, projection: Projection<Row>): Promise<void> =>
  transaction(pool, async (db) => {
    await lockPreparation(db, projection.name)
    await dropRebuild(db, shadowOf(projection, { isRenewal: false }))
    await forgetProgress(db, projection.name)
  })
