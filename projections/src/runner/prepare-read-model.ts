import { beginning } from '@prosa/kernel/event-store/port'
import { transaction } from '@prosa/kernel/postgres/pool'
import { saveCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import type { Pool } from 'pg'
import type { Projection } from './projection.ts'
import { builtVersion, lockPreparation } from './queries.ts'
import { recreateTable } from './table.ts'

type Built = number | undefined

const buildUnless = <Row extends object>(
  pool: Pool,
  { name, version, table }: Projection<Row>,
  isFit: (built: Built) => boolean,
): Promise<void> =>
  transaction(pool, async (db) => {
    await lockPreparation(db, name)
    if (isFit(await builtVersion(db, name, table.name))) return
    await saveCheckpoint(db, name, version, beginning)
    await recreateTable(db, table)
  })

/** Makes an empty table where there is none, so that readers find one; leaves what another version built to its runner. */
export const createReadModel = <Row extends object>(pool: Pool, projection: Projection<Row>): Promise<void> =>
  buildUnless(pool, projection, (built) => built !== undefined)

/**
 * Makes sure that the table is of this version. Another version's is dropped and starts from zero at the beginning of the
 * log; readers see it fill. Only for the runner, which holds the projection's lock.
 */
export const prepareReadModel = <Row extends object>(pool: Pool, projection: Projection<Row>): Promise<void> =>
  buildUnless(pool, projection, (built) => built === projection.version)
