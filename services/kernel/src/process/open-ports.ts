import type { Pool } from 'pg'
import { type Budgets, defaultBudgets } from '../budgets.ts'
import { type Clock, systemClock } from '../clock.ts'
import { readModelGate } from '../consumers/projections/read-model-gate.ts'
import { postgresSnapshots } from '../domain/snapshots/snapshots.ts'
import { postgresDrafts } from '../drafts/drafts.ts'
import { eventCodec } from '../event-store/codec.ts'
import { interruption } from '../event-store/eventstoredb/failures.ts'
import { eventStoreDbEventStore } from '../event-store/eventstoredb.ts'
import { addressOfLog, recognizeLog } from '../event-store/identity/recognize-log.ts'
import { tokensOfLog } from '../event-store/identity/tokens-of-log.ts'
import { eventStoreMigrations } from '../event-store/postgres/migrations.ts'
import { postgresEventStore } from '../event-store/postgres.ts'
import { memoryFileStore } from '../files/memory.ts'
import type { FileStore } from '../files/port.ts'
import { openAuthenticator } from '../http/authentication/open-authenticator.ts'
import type { Roles } from '../http/roles.ts'
import { kernelMigrations } from '../migrations/kernel-migrations.ts'
import { uncorrelated } from '../observability/correlation.ts'
import { fewLines } from '../observability/few-lines.ts'
import type { Logger } from '../observability/log.ts'
import { refusedRequests } from '../observability/refusals/refused-requests.ts'
import { securityLog } from '../observability/security-log.ts'
import type { Ports, Service } from '../ports.ts'
import { type MigrationSet, migrate } from '../postgres/migrations.ts'
import { openPool } from '../postgres/pool.ts'
import { type ErasureJournal, journaledKeys } from '../privacy/erasure-journal.ts'
import { openPrivacy } from '../privacy/open-privacy.ts'
import { overRedis, pubSub } from '../privacy/pub-sub.ts'
import { secretStore } from '../privacy/secret-store.ts'
import { openRedis } from '../redis/redis.ts'
import { postgresSpending } from '../spending/spending.ts'

export interface OpenPorts extends Ports {
  close(): Promise<void>
}

/** Passed in: read models are above the kernel. */
export interface ReadSide {
  /** Creates empty tables: the projecting process may start later. */
  prepare(pool: Pool): Promise<void>
  roles(pool: Pool): Roles
}

export interface PortSettings {
  databaseUrl: string
  masterSecret: Uint8Array
  log: Logger
  readSide: ReadSide
  /** Their tables are migrated too. */
  services: readonly Pick<Service, 'migrations'>[]
  /** Hexadecimal. */
  earlierSecrets?: readonly string[]
  /** EventStoreDB, for the log only. */
  eventStoreUrl?: string
  /** For what processes share besides the log and the database. */
  redisUrl?: string
  /** Default: in memory. */
  files?: FileStore
  /** Default: erasures are known to the database alone. */
  erasures?: ErasureJournal
  budgets?: Budgets
  /** Whose tokens prove sessions; default: the table of sessions does. */
  tokensOf?: string
  /** For tests. */
  clock?: Clock
}

/** The log has no migrations in an EventStoreDB. */
export const migrationsOf = (services: readonly Pick<Service, 'migrations'>[], hasLog: boolean): MigrationSet[] => {
  const ofServices = services.flatMap(({ migrations }) => migrations ?? [])
  return [...(hasLog ? [eventStoreMigrations] : []), kernelMigrations, ...new Set(ofServices)]
}

/** Migrates the database first. Throws the errors of `migrate`, `WrongMasterSecret` and `WrongLog`. */
export const openPorts = async (settings: PortSettings): Promise<OpenPorts> => {
  await migrate(settings.databaseUrl, migrationsOf(settings.services, settings.eventStoreUrl === undefined))
  return openMigratedPorts(settings)
}

/** The same for a database that has this version. */
export const openMigratedPorts = async (settings: Omit<PortSettings, 'services'>): Promise<OpenPorts> => {
  const { databaseUrl, masterSecret, log, readSide, earlierSecrets = [], eventStoreUrl, redisUrl } = settings
  const { files = memoryFileStore(), budgets = defaultBudgets, clock = systemClock, tokensOf, erasures } = settings
  const closing = new AbortController()
  const { signal } = closing
  const troubled = (error: unknown) => {
    // A closing connection may still report the database's stop.
    if (signal.aborted) return
    uncorrelated(() => log.warn({ err: error }, 'database connection lost, will be opened again'))
  }
  const logTroubled = fewLines((error, times) =>
    uncorrelated(() => log.warn({ err: interruption(error), times }, 'event store lost, will be asked again')),
  )
  const pool = openPool(databaseUrl, { onError: troubled })
  const writePool = openPool(databaseUrl, { onError: troubled, prefersIndexes: true })
  const endPools = () => Promise.all([pool.end(), writePool.end()])
  const undo = async (error: unknown): Promise<never> => {
    closing.abort()
    await endPools()
    throw error
  }
  const openLog = () =>
    eventStoreUrl
      ? eventStoreDbEventStore({ url: eventStoreUrl, onTrouble: logTroubled })
      : postgresEventStore({ url: databaseUrl, onTrouble: troubled })
  const oldSecrets = earlierSecrets.map((secret) => Buffer.from(secret, 'hex'))
  const privacy = await openPrivacy({
    pool,
    writePool,
    databaseUrl,
    masterSecret,
    oldSecrets,
    log,
    signal,
  }).catch(undo)
  const subjectKeys = erasures ? journaledKeys(privacy.subjectKeys, erasures) : privacy.subjectKeys
  const store = await openLog().catch(undo)
  const address = addressOfLog(eventStoreUrl)
  const identity = await recognizeLog({ store, pool, clock, address }).catch(async (error: unknown) => {
    await store.close()
    return undo(error)
  })
  const box = tokensOfLog(privacy.box, identity)
  const { sessions, authenticator } = openAuthenticator({ pool, databaseUrl, clock, log, signal, tokensOf })
  await readSide.prepare(pool)
  const redis = redisUrl === undefined ? undefined : await openRedis(redisUrl, log)
  const refusals = refusedRequests({ pool, clock, log, box })
  refusals.start()
  const notified = pubSub({ pool, databaseUrl, box, log, signal: closing.signal })
  return {
    store,
    codec: eventCodec(privacy),
    clock,
    log,
    pool,
    writePool,
    databaseUrl,
    box,
    secrets: secretStore(pool, box),
    subjectKeys,
    browserSessions: sessions,
    authenticator,
    roles: readSide.roles(pool),
    readModels: readModelGate(pool, databaseUrl, closing.signal, troubled),
    pubSub: redis ? overRedis({ redis, box, log, others: notified }) : notified,
    ...(redis && { redis }),
    files,
    spending: postgresSpending({ pool, clock, budgets }),
    drafts: postgresDrafts({ pool, subjectKeys, box, budgets }),
    security: securityLog({ log, box }),
    refusals,
    snapshots: postgresSnapshots({ pool, subjectKeys, box, log }),
    async close() {
      closing.abort()
      await refusals.close()
      await redis?.close()
      await endPools()
    },
  }
}
