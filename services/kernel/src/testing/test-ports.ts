import { randomBytes } from 'node:crypto'
import { systemClock } from '../clock.ts'
import { eventCodec } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import { browserSessions } from '../http/browser-sessions.ts'
import { silentLog } from '../log.ts'
import type { Ports } from '../ports.ts'
import { testPostgres } from '../postgres/testing.ts'
import { masterKeys } from '../privacy/master-keys.ts'
import { secretBox } from '../privacy/secret-box.ts'
import { secretStore } from '../privacy/secret-store.ts'
import { subjectKeys } from '../privacy/subject-keys.ts'
import { readModelGate } from '../read-models/read-model-gate.ts'
import { createKernelTables } from '../schema.ts'

export interface TestPorts extends Ports {
  close(): Promise<void>
}

/** Ports over a log in memory and a fresh real PostgreSQL, for the tests of one service. */
export const testPorts = async (overrides: Partial<Ports> = {}): Promise<TestPorts> => {
  const database = await testPostgres()
  await createKernelTables(database.pool)
  const masterSecret = randomBytes(32)
  const box = secretBox(masterSecret)
  const closing = new AbortController()
  return {
    store: memoryEventStore(),
    codec: eventCodec(),
    clock: systemClock,
    log: silentLog(),
    pool: database.pool,
    databaseUrl: database.url,
    box,
    secrets: secretStore(database.pool, box),
    subjectKeys: subjectKeys({
      pool: database.pool,
      databaseUrl: database.url,
      masters: masterKeys(masterSecret),
      signal: closing.signal,
    }),
    browserSessions: browserSessions(database.pool),
    roles: { of: async () => [] },
    readModels: readModelGate(database.pool, database.url, closing.signal, () => undefined),
    ...overrides,
    async close() {
      closing.abort()
      await database.drop()
    },
  }
}
