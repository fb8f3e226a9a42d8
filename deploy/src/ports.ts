import { type Budgets, defaultBudgets } from '@prosa/kernel/budgets'
import { systemClock } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { eventStoreDbEventStore } from '@prosa/kernel/event-store/eventstoredb'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { memoryFileStore } from '@prosa/kernel/files/memory'
import type { FileStore } from '@prosa/kernel/files/port'
import { browserSessions } from '@prosa/kernel/http/browser-sessions'
import type { Logger } from '@prosa/kernel/log'
import { uncorrelated } from '@prosa/kernel/observability/correlation'
import { securityLog } from '@prosa/kernel/observability/security-log'
import type { Ports } from '@prosa/kernel/ports'
import { openPool } from '@prosa/kernel/postgres/pool'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { secretStore } from '@prosa/kernel/privacy/secret-store'
import { pubSub } from '@prosa/kernel/pub-sub'
import { readModelGate } from '@prosa/kernel/read-models/read-model-gate'
import { createKernelTables } from '@prosa/kernel/schema'
import { postgresSnapshots } from '@prosa/kernel/snapshots/snapshots'
import { accountRoles } from '@prosa/projections/account/queries'

export interface OpenPorts extends Ports {
  close(): Promise<void>
}

/**
 * Real adapters over one PostgreSQL: the log, the read models and the secrets. Earlier master secrets, in hexadecimal, open what
 * is still locked with them. Throws `WrongMasterSecret` when the secret does not belong to this database. With the address of an
 * EventStoreDB the log is there, and nothing but the log. Files that are given no place end with the process: for tests.
 */
export const openPorts = async (
  databaseUrl: string,
  masterSecret: Uint8Array,
  log: Logger,
  earlierSecrets: readonly string[] = [],
  eventStoreUrl?: string,
  files: FileStore = memoryFileStore(),
  budgets: Budgets = defaultBudgets,
): Promise<OpenPorts> => {
  const closing = new AbortController()
  const { signal } = closing
  const troubled = (error: unknown) => {
    // A connection that is on its way out may still hear that the database stops.
    if (signal.aborted) return
    uncorrelated(() => log.warn({ err: error }, 'database connection lost, will be opened again'))
  }
  const logTroubled = (error: unknown) => log.warn({ err: error }, 'event store lost, will be asked again')
  const pool = openPool(databaseUrl, { onError: troubled })
  const writePool = openPool(databaseUrl, { onError: troubled, prefersIndexes: true })
  const endPools = () => Promise.all([pool.end(), writePool.end()])
  await createKernelTables(pool)
  const oldSecrets = earlierSecrets.map((secret) => Buffer.from(secret, 'hex'))
  const privacy = await openPrivacy({
    pool,
    writePool,
    databaseUrl,
    masterSecret,
    oldSecrets,
    log,
    signal,
  }).catch(async (error: unknown) => {
    closing.abort()
    await endPools()
    throw error
  })
  const { box, subjectKeys } = privacy
  return {
    store: eventStoreUrl
      ? await eventStoreDbEventStore({ url: eventStoreUrl, onTrouble: logTroubled })
      : await postgresEventStore({ url: databaseUrl, onTrouble: troubled }),
    codec: eventCodec(privacy),
    clock: systemClock,
    log,
    pool,
    writePool,
    databaseUrl,
    box,
    secrets: secretStore(pool, box),
    subjectKeys,
    browserSessions: browserSessions(pool, { url: databaseUrl, signal: closing.signal }),
    roles: accountRoles(pool),
    readModels: readModelGate(pool, databaseUrl, closing.signal, troubled),
    pubSub: pubSub({ pool, databaseUrl, box, log, signal: closing.signal }),
    files,
    budgets,
    security: securityLog({ log, box }),
    snapshots: postgresSnapshots({ pool, subjectKeys, box, log }),
    async close() {
      closing.abort()
      await endPools()
    },
  }
}
