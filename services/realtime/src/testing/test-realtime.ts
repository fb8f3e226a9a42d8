import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Connection } from '@prosa/contracts/http/connections'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import type { Role } from '@prosa/contracts/values/role'
import { systemClock } from '@prosa/kernel/clock'
import { saveCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { readModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import { deriveId } from '@prosa/kernel/derive-id'
import { postgresSnapshots } from '@prosa/kernel/domain/snapshots/snapshots'
import { postgresDrafts } from '@prosa/kernel/drafts/drafts'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { beginning, type EventStore, type Position } from '@prosa/kernel/event-store/port'
import { memoryFileStore } from '@prosa/kernel/files/memory'
import { host } from '@prosa/kernel/host'
import { cookieAuthenticator } from '@prosa/kernel/http/authentication/cookie-authenticator'
import { positionTokens } from '@prosa/kernel/http/reading/position-tokens'
import { browserSessions, sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { silentLog } from '@prosa/kernel/observability/log'
import { securityLog } from '@prosa/kernel/observability/security-log'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { pubSub } from '@prosa/kernel/privacy/pub-sub'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { secretStore } from '@prosa/kernel/privacy/secret-store'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { postgresSpending } from '@prosa/kernel/spending/spending'
import { capturedLog } from '@prosa/kernel/testing/captured-log'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { until } from '@prosa/kernel/testing/until'
import { type Budgets, defaultBudgets } from '@prosa/product/budgets'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { realtime } from '../realtime.ts'

export type Browser = Socket<ServerToClient, ClientToServer>
export type ReceivedEvent = {
  [E in keyof ServerToClient]: { event: E; payload: Parameters<ServerToClient[E]>[0] }
}[keyof ServerToClient]

const readModels = [
  'chat-messages',
  'contact-list',
  'contact-notes',
  'connections',
  'media',
  'quick-replies',
  'labels',
  'flows',
  'flow-folders',
  'flow-versions',
  'default-flow',
  'company',
  'opening-hours',
  'account',
  'usage',
  'plans',
  'transactions',
  'webhook-deliveries',
] as const
const trustedOrigin = 'https://prosa.example'

export const idOf = (name: string): string => deriveId('test', name)

export interface RealtimeChanges {
  budgets?: Partial<Budgets>
  trustProxy?: boolean
  stopwatch?: () => number
  beforeReadAll?: (after: Position) => Promise<void>
}

/** Aborting `watching` stops what the ports follow. */
const portsOf = (
  postgres: Awaited<ReturnType<typeof kernelDatabase>>,
  { budgets, beforeReadAll = async () => undefined }: RealtimeChanges,
) => {
  const { pool, url: databaseUrl } = postgres
  const memory = memoryEventStore()
  const store: EventStore = {
    ...memory,
    async *readAll(after, filter) {
      await beforeReadAll(after)
      yield* memory.readAll(after, filter)
    },
  }
  const box = secretBox(Buffer.alloc(32, 7))
  const captured = capturedLog()
  const watching = new AbortController()
  const troubles: unknown[] = []
  const roles = new Map<string, Role[]>()
  const keys = subjectKeys({ pool, databaseUrl, masters: masterKeys(Buffer.alloc(32, 7)), signal: watching.signal })
  const sessions = browserSessions(pool)
  const ports = {
    store,
    codec: eventCodec(),
    clock: systemClock,
    log: silentLog(),
    pool,
    writePool: pool,
    databaseUrl,
    box,
    secrets: secretStore(pool, box),
    subjectKeys: keys,
    browserSessions: sessions,
    authenticator: cookieAuthenticator(sessions),
    roles: { of: async (user: string) => roles.get(user) ?? [] },
    entitlements: memoryEntitlements(systemClock),
    readModels: readModelGate(pool, databaseUrl, watching.signal, (error) => troubles.push(error)),
    pubSub: pubSub({ pool, databaseUrl, box, log: silentLog(), signal: watching.signal }),
    files: memoryFileStore(),
    budgets: { ...defaultBudgets, ...budgets },
    spending: postgresSpending({ pool, clock: systemClock, budgets: defaultBudgets }),
    drafts: postgresDrafts({ pool, subjectKeys: keys, box, budgets: defaultBudgets }),
    security: securityLog({ log: captured.log, box }),
    snapshots: postgresSnapshots({ pool, subjectKeys: keys, box, log: silentLog() }),
  }
  return { ports, roles, captured, watching }
}

const appender = ({ store, codec }: ReturnType<typeof portsOf>['ports']) => {
  const lengths = new Map<string, bigint>()
  return async (tenant: string, stream: string, event: AnyEvent): Promise<Position> => {
    const length = lengths.get(stream) ?? 0n
    lengths.set(stream, length + 1n)
    const id = deriveId('test event', stream, Number(length))
    const actor = { kind: 'system', id: 'test' } as const
    const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: systemClock.now() }
    const events = await codec.encode([{ id, stream, event, metadata }])
    const result = await store.append(stream, length === 0n ? 'no_stream' : length - 1n, events)
    if (!result.ok) throw new Error(`${stream} is not where the test left it`)
    return result.position
  }
}

type Open = (token: string | undefined, options?: Partial<ManagerOptions & SocketOptions>) => Browser

const opener =
  (url: string, browsers: Browser[]): Open =>
  (token, options = {}) => {
    const cookie: Record<string, string> = token === undefined ? {} : { cookie: `${sessionCookie}=${token}` }
    const browser: Browser = io(url, {
      reconnectionDelay: 20,
      ...options,
      extraHeaders: { ...cookie, ...options.extraHeaders },
      forceNew: true,
    })
    browsers.push(browser)
    return browser
  }

/** Pushes begin at the end of the log. */
const untilLogIsFollowed = async (browser: Browser, appendSeen: () => Promise<void>) => {
  let pushes = 0
  browser.on('whatsapp:contact_update', () => pushes++)
  await until(() => browser.connected)
  await until(async () => {
    await appendSeen()
    return pushes > 0
  })
  browser.disconnect()
}

export const testRealtime = async (recheckMs = 60_000, changes: RealtimeChanges = {}) => {
  const { trustProxy, stopwatch } = changes
  const postgres = await kernelDatabase()
  const { ports, roles, captured, watching } = portsOf(postgres, changes)
  const tokens = positionTokens(ports.box)
  const connections = new Map<string, Connection[]>()
  const show = async (position: Position, names: readonly string[] = readModels) => {
    for (const name of names) await saveCheckpoint(ports.pool, name, 1, position)
  }
  await show(beginning)
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [trustedOrigin], ...(trustProxy && { trustProxy }) }
  const start = async () => {
    const service = realtime({
      readConnections: () => async (tenant) => connections.get(tenant) ?? [],
      trustedOrigins: [trustedOrigin],
      recheckMs,
      ...(stopwatch && { stopwatch }),
    })
    const running = await host([service], ports, options)
    return { running, url: running.url.replace('localhost', '127.0.0.1') }
  }
  const { running, url } = await start()
  const browsers: Browser[] = []
  const append = appender(ports)
  const open = opener(url, browsers)
  const prelude = idOf('prelude')
  const { token } = await ports.browserSessions.issue(prelude)
  await untilLogIsFollowed(open(token), async () =>
    show(await append(prelude, `chat-${prelude}`, { type: 'ChatSeen', data: { attendantId: prelude } })),
  )

  return {
    expectParkedTenants: postgres.expectParkedTenants,
    ports,
    url,
    securityEvents: () => captured.lines().flatMap(({ security }) => security ?? []),
    connections,
    roles,
    append,
    show,
    open,
    tokenOf: tokens.tokenOf,
    async signIn(user: string) {
      const { token } = await ports.browserSessions.issue(user)
      const browser = open(token)
      const receivedEvents: ReceivedEvent[] = []
      browser.onAny((event, payload) => {
        const position = tokens.latestOf(user, payload?.position)
        receivedEvents.push({ event, payload: position ? { ...payload, position } : payload } as ReceivedEvent)
      })
      await until(() => receivedEvents.some(({ event }) => event === 'whatsapp:connections'))
      return { browser, receivedEvents, token }
    },
    /** A process that starts later. Stop it first, as `stop` closes the log. */
    async startAnother() {
      const another = await start()
      return { open: opener(another.url, browsers), stop: () => another.running.stop() }
    },
    /** Like a restart: browsers stay open. */
    halt: () => running.stop(),
    async stop() {
      for (const browser of browsers) browser.disconnect()
      await running.stop()
      watching.abort()
      await postgres.drop()
    },
  }
}
