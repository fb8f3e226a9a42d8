import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import type { Budgets } from './budgets.ts'
import type { Clock } from './clock.ts'
import type { ReadModelGate } from './consumers/projections/read-model-gate.ts'
import type { Reactor } from './consumers/reactors/reactor.ts'
import type { TimerKind } from './consumers/timers/timer.ts'
import type { Snapshots } from './domain/snapshots/snapshots.ts'
import type { Drafts } from './drafts/drafts.ts'
import type { Entitlements } from './entitlements/port.ts'
import type { Codec } from './event-store/codec.ts'
import type { EventStore } from './event-store/port.ts'
import type { FileStore } from './files/port.ts'
import type { BrowserSessions } from './http/browser-sessions.ts'
import type { Roles } from './http/roles.ts'
import type { Logger } from './observability/log.ts'
import type { MetricSource } from './observability/metric.ts'
import type { SecurityLog } from './observability/security-log.ts'
import type { MigrationSet } from './postgres/migrations.ts'
import type { PubSub } from './privacy/pub-sub.ts'
import type { SecretBox } from './privacy/secret-box.ts'
import type { SecretStore } from './privacy/secret-store.ts'
import type { SubjectKeys } from './privacy/subject-keys.ts'
import type { Spending } from './spending/spending.ts'

/** What every service is given. Adapters are chosen once, where a process is put together. */
export interface Ports {
  store: EventStore
  codec: Codec
  clock: Clock
  log: Logger
  pool: Pool
  /** For the prepared statements that messages bring about by key, and nothing else: see `prefersIndexes`. */
  writePool: Pool
  databaseUrl: string
  box: SecretBox
  secrets: SecretStore
  subjectKeys: SubjectKeys
  browserSessions: BrowserSessions
  roles: Roles
  entitlements: Entitlements
  readModels: ReadModelGate
  pubSub: PubSub
  files: FileStore
  budgets: Budgets
  /** What tenants have spent of those of a day, and of what the log keeps. */
  spending: Spending
  /** Drafts of flows, beside the log (docs/decisions/0048-drafts-beside-the-log.md). */
  drafts: Drafts
  security: SecurityLog
  /** States that take long to fold, saved beside the log. */
  snapshots: Snapshots
}

/** What a service brings into a process. */
export interface Mounted {
  routes?: FastifyPluginAsync
  reactors?: readonly Reactor[]
  timers?: readonly TimerKind[]
  /** Beside its reactors and timers: the workers that may park keys, as metrics name them. */
  parkers?: readonly string[]
  /** Long work until the signal aborts; resolves when everything in hand is finished. */
  run?: (signal: AbortSignal) => Promise<void>
  /** What stands in the way of being healthy, by name; empty when all is well. */
  health?: () => Record<string, unknown>
  /** Numbers for `/metrics`, asked for with every scrape. */
  metrics?: MetricSource
}

/** A service is a function of its ports; `name` is what the host prints. */
export interface Service {
  name: string
  /** Its tables: they are there when it is mounted. Services of one package share one set. */
  migrations?: MigrationSet
  mount(ports: Ports): Promise<Mounted>
}
