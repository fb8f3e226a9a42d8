import type { Pool } from 'pg'
import { type Budgets, defaultBudgets } from '../budgets.ts'
import { type Clock, systemClock } from '../clock.ts'
import { readModelGate } from '../consumers/projections/read-model-gate.ts'
import { postgresSnapshots } from '../domain/snapshots/snapshots.ts'
import { postgresDrafts } from '../drafts/drafts.ts'
import { type AccountRules, defaultPlanRules, type PlanRules } from '../entitlements/plan-rules.ts'
import type { Entitlements } from '../entitlements/port.ts'
import { eventCodec } from '../event-store/codec.ts'
import { eventStoreDbEventStore } from '../event-store/eventstoredb.ts'
import { eventStoreMigrations } from '../event-store/postgres/migrations.ts'
import { postgresEventStore } from '../event-store/postgres.ts'
import { memoryFileStore } from '../files/memory.ts'
import type { FileStore } from '../files/port.ts'
import { browserSessions } from '../http/browser-sessions.ts'
import type { Roles } from '../http/roles.ts'
import { kernelMigrations } from '../migrations/kernel-migrations.ts'
import { uncorrelated } from '../observability/correlation.ts'
import type { Logger } from '../observability/log.ts'
import { securityLog } from '../observability/security-log.ts'
import type { Ports, Service } from '../ports.ts'
import { type MigrationSet, migrate } from '../postgres/migrations.ts'
import { openPool } from '../postgres/pool.ts'
import { openPrivacy } from '../privacy/open-privacy.ts'
import { pubSub } from '../privacy/pub-sub.ts'
import { secretStore } from '../privacy/secret-store.ts'
import { postgresSpending } from '../spending/spending.ts'

export interface OpenPorts extends Ports {
  close(): Promise<void>
}

/** What processes read of the read models beside their own work. Read models are made above the kernel. */
export interface ReadSide {
  /** Makes what can be read, empty, where it has never been built: the process that fills it may start later. */
  prepare(pool: Pool): Promise<void>
  roles(pool: Pool): Roles
  entitlements(pool: Pool, rules: AccountRules, clock: Clock): Entitlements
}

export interface PortSettings {
  databaseUrl: string
  masterSecret: Uint8Array
  log: Logger
  readSide: ReadSide
  /** What the process is going to run: their tables are made, or brought to this version, with the kernel's. */
  services: readonly Service[]
  /** Earlier master secrets, in hexadecimal: they open what is still locked with them. */
  earlierSecrets?: readonly string[]
  /** The address of an EventStoreDB: the log is there, and nothing but the log. */
  eventStoreUrl?: string
  /** Without it files end with the process: for tests. */
  files?: FileStore
  budgets?: Budgets
  /** Those of the specification, unless given. */
  planRules?: PlanRules
  /** Nothing is sent from an account whose address is not confirmed; false unless given. */
  sendingNeedsConfirmedEmail?: boolean
  /** Only tests move it. */
  clock?: Clock
}

/** The migrations of a process; services may share a set. The log has none where an EventStoreDB keeps it. */
export const migrationsOf = (services: readonly Service[], hasLog: boolean): MigrationSet[] => {
  const ofServices = services.flatMap(({ migrations }) => migrations ?? [])
  return [...(hasLog ? [eventStoreMigrations] : []), kernelMigrations, ...new Set(ofServices)]
}

/**
 * Real adapters over one PostgreSQL: the log, the read models and the secrets. The database is brought to the version of the
 * program first. Throws what `migrate` throws, and `WrongMasterSecret` when the secret does not belong to this database.
 */
export const openPorts = async (settings: PortSettings): Promise<OpenPorts> => {
  await migrate(settings.databaseUrl, migrationsOf(settings.services, settings.eventStoreUrl === undefined))
  return openMigratedPorts(settings)
}

/** The same where the database is of this version already. */
export const openMigratedPorts = async (settings: Omit<PortSettings, 'services'>): Promise<OpenPorts> => {
  const { databaseUrl, masterSecret, log, readSide, earlierSecrets = [], eventStoreUrl } = settings
  const { files = memoryFileStore(), budgets = defaultBudgets } = settings
  const { planRules = defaultPlanRules, sendingNeedsConfirmedEmail = false, clock = systemClock } = settings
  const closing = new AbortController()
  const { signal } = closing
  const troubled = (error: unknown) => {
    // A connection that is on its way out may still notice that the database stops.
    if (signal.aborted) return
    uncorrelated(() => log.warn({ err: error }, 'database connection lost, will be opened again'))
  }
  const logTroubled = (error: unknown) => log.warn({ err: error }, 'event store lost, will be asked again')
  const pool = openPool(databaseUrl, { onError: troubled })
  const writePool = openPool(databaseUrl, { onError: troubled, prefersIndexes: true })
  const endPools = () => Promise.all([pool.end(), writePool.end()])
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
  await readSide.prepare(pool)
  return {
    store: eventStoreUrl
      ? await eventStoreDbEventStore({ url: eventStoreUrl, onTrouble: logTroubled })
      : await postgresEventStore({ url: databaseUrl, onTrouble: troubled }),
    codec: eventCodec(privacy),
    clock,
    log,
    pool,
    writePool,
    databaseUrl,
    box,
    secrets: secretStore(pool, box),
    subjectKeys,
    browserSessions: browserSessions(pool, { url: databaseUrl, signal: closing.signal }),
    roles: readSide.roles(pool),
    entitlements: readSide.entitlements(pool, { ...planRules, sendingNeedsConfirmedEmail }, clock),
    readModels: readModelGate(pool, databaseUrl, closing.signal, troubled),
    pubSub: pubSub({ pool, databaseUrl, box, log, signal: closing.signal }),
    files,
    budgets,
    spending: postgresSpending({ pool, clock, budgets }),
    drafts: postgresDrafts({ pool, subjectKeys, box, budgets }),
    security: securityLog({ log, box }),
    snapshots: postgresSnapshots({ pool, subjectKeys, box, log }),
    async close() {
      closing.abort()
      await endPools()
    },
  }
}
