import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import type { Budgets } from './budgets.ts'
import type { Clock } from './clock.ts'
import type { Codec } from './event-store/codec.ts'
import type { EventStore } from './event-store/port.ts'
import type { FileStore } from './files/port.ts'
import type { BrowserSessions } from './http/browser-sessions.ts'
import type { Roles } from './http/roles.ts'
import type { Logger } from './log.ts'
import type { FigureSource } from './observability/figure.ts'
import type { SecurityLog } from './observability/security-log.ts'
import type { SecretBox } from './privacy/secret-box.ts'
import type { SecretStore } from './privacy/secret-store.ts'
import type { SubjectKeys } from './privacy/subject-keys.ts'
import type { PubSub } from './pub-sub.ts'
import type { Reactor } from './reactors/reactor.ts'
import type { ReadModelGate } from './read-models/read-model-gate.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { TimerKind } from './timers/timer.ts'

/** What every service is given. Adapters are chosen once, in `deploy`. */
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
  readModels: ReadModelGate
  pubSub: PubSub
  files: FileStore
  budgets: Budgets
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
  /** Numbers for `/metrics`, told when it is read. */
  figures?: FigureSource
}

/** A service is a function of its ports; `name` is what the host prints. */
export interface Service {
  name: string
  mount(ports: Ports): Promise<Mounted>
}
