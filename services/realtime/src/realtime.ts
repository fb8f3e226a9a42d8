import type { IncomingMessage } from 'node:http'
import { setInterval } from 'node:timers/promises'
import type { Connection } from '@prosa/contracts/http/connections'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
// Declares Fastify's decorations.
import type {} from '@prosa/kernel/http/app'
import { type PositionTokens, positionTokens } from '@prosa/kernel/http/reading/position-tokens'
import type { Metric } from '@prosa/kernel/observability/metric'
import type { Mounted } from '@prosa/kernel/ports'
import type { Ports, Service } from '@prosa/product/ports'
import { administrators } from './administrators.ts'
import { admit } from './admit.ts'
import { deliverTo } from './deliver-to.ts'
import { followLog } from './follow-log.ts'
import { pusher } from './pusher.ts'
import { isAdministrators } from './pushes.ts'
import { recheckSessions } from './recheck-sessions.ts'
import { emitResumed, resume } from './resume.ts'
import { resumeLimiter } from './resume-limiter.ts'
import { adminRoom, contactRoom, sessionRoom, tenantRoom } from './rooms.ts'
import { sharedAdapter } from './shared-adapter.ts'
import { type SocketLimits, socketLimits } from './socket-limits.ts'
import { type BrowserSocket, type SocketServer, socketServer } from './socket-server.ts'
import { watchAgain, watchContacts } from './watch-contacts.ts'

export interface RealtimeOptions {
  readConnections: (ports: Ports) => (tenant: string) => Promise<Connection[]>
  /** Besides the server's own. */
  trustedOrigins: readonly string[]
  recheckMs?: number
  /** Monotonic ms. */
  stopwatch?: () => number
}

const positionEveryMs = 2000
/** Below the minute after which sessions stop following a contact. */
const watchedEveryMs = 25_000

/** `server` and `limits` exist once the routes are registered. */
interface Live {
  server?: SocketServer
  limits?: SocketLimits
  /** Position up to which the log was followed. */
  reached: Position
}

/** Resolves at the first position that the log is followed from: earlier events are read, later ones are pushed. */
const firstFollowed = () => {
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  return { begin, begun }
}

const partsOf = (ports: Ports, readConnections: (tenant: string) => Promise<Connection[]>, stopwatch: () => number) => {
  const live: Live = { reached: beginning }
  const following = firstFollowed()
  const tokens = positionTokens(ports.box)
  const admins = administrators(ports)
  const delivering = deliverTo(readConnections, tokens)
  const sockets = () => live.server?.sockets.sockets.values() ?? []
  const pushes = pusher({
    readModels: ports.readModels,
    log: ports.log,
    deliver: async (push) => {
      if (push.kind === 'roles') return admins.changed(push.tenant, sockets())
      const room = isAdministrators(push) ? adminRoom : tenantRoom(push.tenant)
      if (live.server?.sockets.adapter.rooms.has(room)) await delivering.deliver(live.server.local.to(room), push)
    },
  })
  const limiter = resumeLimiter(ports.budgets.socketsPerSession, stopwatch)
  const position = () => pushes.deliveredUpTo(live.reached)
  return { ports, live, following, tokens, admins, delivering, sockets, pushes, limiter, position }
}

type Parts = ReturnType<typeof partsOf>

const welcome = (parts: Parts) => (socket: BrowserSocket) => {
  const { ports, live, following, admins, delivering, position } = parts
  const { userId, sessionId } = socket.data
  void socket.join([tenantRoom(userId), sessionRoom(sessionId)])
  live.limits?.paceEvents(socket)
  watchContacts(socket, ports)
  void admins.updateRoom(socket)
  delivering
    .emitConnections(socket, userId)
    // Else what is stored between this reading and the first followed position would be neither read nor pushed.
    .then(() => following.begun)
    .then(() => resume(parts, socket, position()))
    .catch((error: unknown) => ports.log.warn({ err: error }, 'initial state of a socket not sent'))
}

/** Nothing was pushed while the tenant was parked, and it may be much: reload. */
const reloadOnResumed = ({ ports, live, tokens, position }: Parts) =>
  ports.readModels.onResumed((tenant) => {
    if (!live.server) return
    emitResumed(live.server.local.to(tenantRoom(tenant)), tokens, { tenant, position: position(), complete: false })
  })

/** Everything up to this position has been pushed; each tenant gets its own token. */
const emitReached = (server: SocketServer, { tokenOf }: Pick<PositionTokens, 'tokenOf'>, position: Position) => {
  const tenants = new Set(Array.from(server.sockets.sockets.values(), ({ data }) => data.userId))
  for (const tenant of tenants)
    server.local.to(tenantRoom(tenant)).emit('position', { position: tokenOf(tenant, position) })
}

const emitPositions = async ({ live, tokens, position }: Parts, signal: AbortSignal) => {
  let last = live.reached
  for await (const _ of setInterval(positionEveryMs, undefined, { signal })) {
    const next = position()
    if (next !== last && live.server) emitReached(live.server, tokens, next)
    last = next
  }
}

const renewWatches = async ({ ports, sockets }: Parts, signal: AbortSignal) => {
  for await (const _ of setInterval(watchedEveryMs, undefined, { signal })) watchAgain(sockets(), ports)
}

const socketRoutes =
  (parts: Parts, trustedOrigins: readonly string[], stopwatch: () => number): NonNullable<Mounted['routes']> =>
  async (app) => {
    const { authenticator, budgets, log, pubSub, redis, security } = parts.ports
    const limits = socketLimits({ ...parts.ports, budgets, addressOf: app.addressOf, stopwatch, security })
    const { admitsFrom, admitsTo } = limits
    const onForeign = (request: IncomingMessage) =>
      security.record('foreign_origin', { ip: app.addressOf(request), route: '/socket.io' })
    const server = socketServer(app.server, trustedOrigins, { admitsFrom, onForeign, isOverTls: app.isOverTls })
    if (redis) server.adapter(sharedAdapter(redis))
    Object.assign(parts.live, { server, limits })
    limits.watch(server)
    server.use(admit({ authenticator, log, admitsTo }))
    server.on('connection', welcome(parts))
    authenticator.onEnded((sessionId) => {
      const room = sessionRoom(sessionId)
      server.local.in(room).disconnectSockets(true)
      // Another process may have missed the end.
      if (redis) server.in(room).disconnectSockets(true)
    })
    pubSub.subscribe('presence.received', ({ contactId, state }) => {
      server.local.to(contactRoom(contactId)).emit('whatsapp:presence', { contactId, state })
    })
    // No disconnect packet: browsers would not reconnect after one.
    app.addHook('preClose', async () => {
      server.engine.close()
    })
  }

const metricsOf = ({ live, limiter }: Parts): Metric[] => [
  {
    name: 'prosa_sockets_open',
    help: 'Sockets of signed-in browsers.',
    kind: 'gauge',
    value: live.server?.sockets.sockets.size ?? 0,
  },
  ...(live.limits?.metrics() ?? []),
  {
    name: 'prosa_resumes_refused_total',
    help: 'Browsers that came back and read everything anew, as too many of their tenant asked what they missed.',
    kind: 'counter',
    value: limiter.refused(),
  },
]

const run = async (parts: Parts, recheckMs: number, signal: AbortSignal) => {
  const { ports, live, following, admins, sockets, pushes } = parts
  const { authenticator, log } = ports
  signal.addEventListener('abort', pushes.stop, { once: true })
  const follow = (position: Position) => {
    live.reached = position
    following.begin()
  }
  await Promise.all([
    followLog(ports, pushes.push, follow, signal),
    live.limits?.run(signal),
    recheckSessions({ authenticator, log, sockets, updateRoom: admins.updateRoom, everyMs: recheckMs }, signal),
    ...[emitPositions, renewWatches].map((work) =>
      work(parts, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      }),
    ),
  ])
}

/** Every process follows the log and emits to its own sockets only (`local`), independent of others (docs/decisions/0066-realtime-and-limits-of-many-processes.md). */
export const realtime = ({
  readConnections,
  trustedOrigins,
  recheckMs = 60_000,
  stopwatch = () => performance.now(),
}: RealtimeOptions): Service => ({
  name: 'realtime',
  async mount(ports) {
    const parts = partsOf(ports, readConnections(ports), stopwatch)
    reloadOnResumed(parts)
    return {
      routes: socketRoutes(parts, trustedOrigins, stopwatch),
      metrics: () => metricsOf(parts),
      run: (signal) => run(parts, recheckMs, signal),
    }
  },
})
