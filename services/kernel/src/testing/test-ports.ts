import { randomBytes } from 'node:crypto'
import { defaultBudgets } from '../budgets.ts'
import { systemClock } from '../clock.ts'
import { eventCodec } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import { memoryFileStore } from '../files/memory.ts'
import { browserSessions } from '../http/browser-sessions.ts'
import { silentLog } from '../log.ts'
import { securityLog } from '../observability/security-log.ts'
import type { Ports } from '../ports.ts'
import { testPostgres } from '../postgres/testing.ts'
import { masterKeys } from '../privacy/master-keys.ts'
import { secretBox } from '../privacy/secret-box.ts'
import { secretStore } from '../privacy/secret-store.ts'
import { subjectKeys } from '../privacy/subject-keys.ts'
import { pubSub } from '../pub-sub.ts'
import { readModelGate } from '../read-models/read-model-gate.ts'
import { createKernelTables } from '../schema.ts'
import { postgresSnapshots } from '../snapshots/snapshots.ts'

export interface TestPorts extends Ports {
  close(): Promise<void>
}

/**
 * Ports over a log in memory and a fresh real PostgreSQL, for the tests of one service. Other processes that are to read the
 * same secrets are given the same `masterSecret`.
 */
export const testPorts = async ({
  masterSecret = randomBytes(32),
  ...overrides
}: Partial<Ports> & { masterSecret?: Uint8Array } = {}): Promise<TestPorts> => {
  const database = await testPostgres()
  await createKernelTables(database.pool)
  const box = secretBox(masterSecret)
  const closing = new AbortController()
  const keys = subjectKeys({
    pool: database.pool,
    databaseUrl: database.url,
    masters: masterKeys(masterSecret),
    signal: closing.signal,
  })
  return {
    store: memoryEventStore(),
    codec: eventCodec(),
    clock: systemClock,
    log: silentLog(),
    pool: database.pool,
    writePool: database.pool,
    databaseUrl: database.url,
    box,
    secrets: secretStore(database.pool, box),
    subjectKeys: keys,
    browserSessions: browserSessions(database.pool),
    roles: { of: async () => [] },
    readModels: readModelGate(database.pool, database.url, closing.signal, () => undefined),
    pubSub: pubSub({
      pool: database.pool,
      databaseUrl: database.url,
      box,
      log: silentLog(),
      signal: closing.signal,
    }),
    files: memoryFileStore(),
    budgets: defaultBudgets,
    security: securityLog({ log: silentLog(), box }),
    snapshots: postgresSnapshots({ pool: database.pool, subjectKeys: keys, box, log: silentLog() }),
    ...overrides,
    async close() {
      closing.abort()
      await database.drop()
    },
  }
}
