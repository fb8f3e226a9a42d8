import type { Pool } from 'pg'
import { browserSessionSchema } from './http/browser-session-queries.ts'
import { idempotentRequestSchema } from './http/idempotent-requests.ts'
import { patient } from './postgres/patient.ts'
import { secretSchema } from './privacy/secret-store.ts'
import { houseKeySchema, subjectKeySchema } from './privacy/table.ts'
import { effectSchema, parkedWorkSchema } from './reactors/table.ts'
import { checkpointSchema } from './read-models/checkpoints.ts'
import { snapshotSchema } from './snapshots/table.ts'
import { timerSchema } from './timers/table.ts'

const schemas = [
  checkpointSchema,
  secretSchema,
  houseKeySchema,
  subjectKeySchema,
  browserSessionSchema,
  idempotentRequestSchema,
  parkedWorkSchema,
  effectSchema,
  timerSchema,
  snapshotSchema,
]

/** Creates the kernel's own tables where they are missing. Two processes may start at once. */
export const createKernelTables = async (pool: Pool): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(patient('select pg_advisory_xact_lock(724002)'))
    for (const schema of schemas) await client.query(patient(schema))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
