import { transaction } from '@prosa/kernel/postgres/pool'
import type { Pool } from 'pg'
import { credentialSchema } from './credentials/table.ts'
import { leaseSchema } from './leases/table.ts'
import { roomSchema } from './media/room/table.ts'
import { mediaSchema } from './media/table.ts'
import { connectionNameSchema } from './names/table.ts'
import { outboxSchema } from './outbox/table.ts'
import { connectionPlaceSchema } from './places/table.ts'

const schemas = [
  credentialSchema,
  outboxSchema,
  leaseSchema,
  connectionNameSchema,
  connectionPlaceSchema,
  mediaSchema,
  roomSchema,
]
const migrationLock = 724_003

/** Creates the tables of connections and of files where they are missing. Two processes may start at once. */
export const createSessionTables = (pool: Pool): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    for (const schema of schemas) await client.query(schema)
  })
