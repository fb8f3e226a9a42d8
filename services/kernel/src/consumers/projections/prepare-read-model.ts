import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { beginning } from '../../event-store/port.ts'
import { transaction } from '../../postgres/pool.ts'
import { saveCheckpoint } from '../engine/checkpoints.ts'
import { projectionWorker } from './parked-tenants.ts'
import type { Projection } from './projection.ts'
import { builtVersion, dropTable, forgetParked, hasLog, isCrowded, lockPreparation, waitBriefly } from './queries.ts'
import { registerReadModel } from './rebuild-queries.ts'
import { serveOldRows } from './serve-old-rows.ts'
import { createTable } from './table.ts'

const pauseMs = 100

/** The version of a table that is empty because it was not there while the log was written: this one is then built beside it. */
export const unbuilt = 0

/**
 * Before anybody reads: makes an empty table where there is none, and lets this version's queries read what another version
 * built, until its runner has built this one's beside it. Throws `ColumnRedefined` and `ColumnUndeclared`.
 */
export const prepareReadModel = async <Row extends object>(pool: Pool, projection: Projection<Row>): Promise<void> => {
  for (;;) {
    try {
      return await prepareOnce(pool, projection)
    } catch (error) {
      if (!isCrowded(error)) throw error
      await delay(pauseMs)
    }
  }
}

const prepareOnce = <Row extends object>(pool: Pool, { name, version, table }: Projection<Row>): Promise<void> =>
  transaction(pool, async (db) => {
    await lockPreparation(db, name)
    await registerReadModel(db, name)
    const built = await builtVersion(db, name, table.name)
    if (built === version) return
    await waitBriefly(db)
    if (built !== undefined) return serveOldRows(db, table)
    await saveCheckpoint(db, name, (await hasLog(db)) ? unbuilt : version, beginning)
    await forgetParked(db, projectionWorker(name), { alsoReleased: false })
    await dropTable(db, table.name)
    await createTable(db, table)
  })
