import { transaction } from '@prosa/kernel/postgres/pool'
import type { Pool } from 'pg'
import { credentialSchema } from './credentials/table.ts'
import { leaseSchema } from './leases/table.ts'
import { connectionNameSchema } from './names/table.ts'
import { outboxSchema } from './outbox/table.ts'

const migrationLock = 724_003

/** Creates this service's own tables where they are missing. Two processes may start at once. */
export const createSessionTables = (pool: Pool): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    for (const schema of [credentialSchema, outboxSchema, leaseSchema, connectionNameSchema]) await client.query(schema)
  })
