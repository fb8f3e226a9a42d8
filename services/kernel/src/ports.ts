import type { ServiceName } from '@prosa/contracts/streams'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import type { Clock } from './clock.ts'
import type { ReadModelGate } from './consumers/projections/read-model-gate.ts'
import type { Reactor } from './consumers/reactors/reactor.ts'
import type { TimerKind } from './consumers/timers/timer.ts'
import type { Snapshots } from './domain/snapshots/snapshots.ts'
import type { Drafts } from './drafts/drafts.ts'
import type { Codec } from './event-store/codec.ts'
import type { EventStore } from './event-store/port.ts'
import type { FileStore } from './files/port.ts'
import type { Authenticator } from './http/authentication/authenticator.ts'
import type { Roles } from './http/roles.ts'
import type { BrowserSessions } from './http/sign-in/browser-sessions.ts'
import type { Logger } from './observability/log.ts'
import type { MetricSource } from './observability/metric.ts'
import type { RefusedRequests } from './observability/refusals/refused-requests.ts'
import type { SecurityLog } from './observability/security-log.ts'
import type { MigrationSet } from './postgres/migrations.ts'
import type { PubSub } from './privacy/pub-sub.ts'
import type { SecretBox } from './privacy/secret-box.ts'
import type { SecretStore } from './privacy/secret-store.ts'
import type { SubjectKeys } from './privacy/subject-keys.ts'
import type { Redis } from './redis/redis.ts'
import type { Spending } from './spending/spending.ts'

export interface Ports {
  store: EventStore
  codec: Codec
  clock: Clock
  log: Logger
  pool: Pool
  /** Only for prepared statements by key that messages cause: see `prefersIndexes`. */
  writePool: Pool
  databaseUrl: string
  box: SecretBox
  secrets: SecretStore
  subjectKeys: SubjectKeys
  /** Of identity alone. */
  browserSessions: BrowserSessions
  authenticator: Authenticator
  roles: Roles
  readModels: ReadModelGate
  pubSub: PubSub
  /** Only where many processes are configured to share it. */
  redis?: Redis
  files: FileStore
  spending: Spending
  /** docs/decisions/0048-drafts-beside-the-log.md */
  drafts: Drafts
  security: SecurityLog
  /** Absent in tests that count none. */
  refusals?: RefusedRequests
  snapshots: Snapshots
}

export interface Mounted {
  routes?: FastifyPluginAsync
  reactors?: readonly Reactor[]
  timers?: readonly TimerKind[]
  /** Workers beside reactors and timers that may park keys, by metric name. */
  parkers?: readonly string[]
  /** Resolves when work in progress has finished. */
  run?: (signal: AbortSignal) => Promise<void>
  /** Faults by name; empty when healthy. */
  health?: () => Record<string, unknown>
  /** What the process must have first; it is not ready until this is empty. */
  waitsFor?: () => readonly string[]
  metrics?: MetricSource
}

export interface Service<P extends Ports = Ports> {
  name: string
  /** The service whose endpoints it answers; its own by default. */
  partOf?: ServiceName
  /** Applied before the mount; services of one package share a set. */
  migrations?: MigrationSet
  mount: (ports: P) => Promise<Mounted>
}
