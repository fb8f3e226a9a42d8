import { setTimeout as delay } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { beginning } from '../../event-store/port.ts'
import { transaction } from '../../postgres/pool.ts'
import { saveCheckpoint } from '../engine/checkpoints.ts'
import { projectionWorker } from './parking/parked-tenants.ts'
import type { Projection } from './projection.ts'
import {
  builtVersion,
  dropTable,
  forgetParked,
  hasLog,
  isAnyBuilt,
  isCrowded,
  lockPreparation,
  waitBriefly,
} from './queries.ts'
import { registerReadModel } from './rebuild/rebuild-queries.ts'
import { serveOldRows } from './rebuild/serve-old-rows.ts'
import { createTable } from './table.ts'

const pauseMs = 100

/** The read model is newer than the log: its table is empty until rebuilt, beside others that are shown. */
export const unbuilt = 0
/** The same where no read model was ever built over this log, as after a move: nothing can be shown yet. */
export const neverBuilt = -1

/** Creates an empty table, or makes old rows readable until the rebuild. Throws `ColumnRedefined`, `ColumnUndeclared`. */
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

const firstVersion = async (db: PoolClient, version: number): Promise<number> => {
  if (!(await hasLog(db))) return version
  return (await isAnyBuilt(db)) ? unbuilt : neverBuilt
}

const prepareOnce = <Row extends object>(pool: Pool, { name, version, table }: Projection<Row>): Promise<void> =>
  transaction(pool, async (db) => {
    await lockPreparation(db, name)
    await registerReadModel(db, name)
    const built = await builtVersion(db, name, table.name)
    if (built === version) return
    await waitBriefly(db)
    if (built !== undefined) return serveOldRows(db, table)
    await saveCheckpoint(db, name, await firstVersion(db, version), beginning)
    await forgetParked(db, projectionWorker(name), { alsoReleased: false })
    await dropTable(db, table.name)
    await createTable(db, table)
  })
