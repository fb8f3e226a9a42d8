import { randomBytes } from 'node:crypto'
import { type Budgets, defaultBudgets } from '../budgets.ts'
import { systemClock } from '../clock.ts'
import { readModelGate } from '../consumers/projections/read-model-gate.ts'
import { postgresSnapshots } from '../domain/snapshots/snapshots.ts'
import { postgresDrafts } from '../drafts/drafts.ts'
import { eventCodec } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import { memoryFileStore } from '../files/memory.ts'
import { cookieAuthenticator } from '../http/authentication/cookie-authenticator.ts'
import { browserSessions } from '../http/sign-in/browser-sessions.ts'
import { silentLog } from '../observability/log.ts'
import { securityLog } from '../observability/security-log.ts'
import type { Ports } from '../ports.ts'
import type { MigrationSet } from '../postgres/migrations.ts'
import { masterKeys } from '../privacy/master-keys.ts'
import { pubSub } from '../privacy/pub-sub.ts'
import { secretBox } from '../privacy/secret-box.ts'
import { secretStore } from '../privacy/secret-store.ts'
import { subjectKeys } from '../privacy/subject-keys.ts'
import { postgresSpending } from '../spending/spending.ts'
import { kernelDatabase } from './kernel-database.ts'

export interface TestPorts extends Ports {
  close(): Promise<void>
}

export interface TestPortsOptions extends Partial<Ports> {
  masterSecret?: Uint8Array
  budgets?: Budgets
  migrations?: readonly MigrationSet[]
}

/** Log in memory, real PostgreSQL. Same `masterSecret`: shared secrets. */
export const testPorts = async ({
  masterSecret = randomBytes(32),
  migrations = [],
  budgets = defaultBudgets,
  ...overrides
}: TestPortsOptions = {}): Promise<TestPorts> => {
  const database = await kernelDatabase(...migrations)
  const box = secretBox(masterSecret)
  const { pool } = database
  const { clock = systemClock } = overrides
  const sessions = overrides.browserSessions ?? browserSessions(pool)
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
    browserSessions: sessions,
    authenticator: cookieAuthenticator(sessions),
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
    spending: postgresSpending({ pool, clock, budgets }),
    drafts: postgresDrafts({ pool, subjectKeys: keys, box, budgets }),
    security: securityLog({ log: silentLog(), box }),
    snapshots: postgresSnapshots({ pool: database.pool, subjectKeys: keys, box, log: silentLog() }),
    ...overrides,
    async close() {
      closing.abort()
      await database.drop()
    },
  }
}
