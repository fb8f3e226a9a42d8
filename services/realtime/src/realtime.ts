import type { IncomingMessage } from 'node:http'
import { setInterval } from 'node:timers/promises'
import type { Connection } from '@prosa/contracts/http/connections'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
// Declares Fastify's decorations, such as parseCookie.
import type {} from '@prosa/kernel/http/app'
import { positionTokens } from '@prosa/kernel/http/position-tokens'
import type { Ports, Service } from '@prosa/product/ports'
import { administrators } from './administrators.ts'
import { admit } from './admit.ts'
import { deliverTo } from './deliver-to.ts'
import { emitReached, emitResumed } from './emit-reached.ts'
import { followLog } from './follow-log.ts'
import { missedPushes } from './missed-pushes.ts'
import { pusher } from './pusher.ts'
import { isAdministrators } from './pushes.ts'
import { recheckSessions } from './recheck-sessions.ts'
import { resumeLimiter } from './resume-limiter.ts'
import { adminRoom, contactRoom, ownerRoom, sessionRoom } from './rooms.ts'
import { type SocketLimits, socketLimits } from './socket-limits.ts'
import { type BrowserSocket, type SocketServer, socketServer } from './socket-server.ts'
import { watchAgain, watchContacts } from './watch-contacts.ts'

export interface RealtimeOptions {
  readConnections: (ports: Ports) => (owner: string) => Promise<Connection[]>
  /** Besides the server's own. */
  trustedOrigins: readonly string[]
  recheckMs?: number
  /** Monotonic ms. */
  stopwatch?: () => number
}

const positionEveryMs = 2000
/** Below the minute after which sessions stop following a contact. */
const watchedEveryMs = 25_000

/** Every process follows the log and serves its own sockets, independent of others. */
export const realtime = ({
  readConnections,
  trustedOrigins,
  recheckMs = 60_000,
  stopwatch = () => performance.now(),
}: RealtimeOptions): Service => ({
  name: 'realtime',
  async mount(ports) {
    const { box, browserSessions, budgets, log, pubSub, readModels, security, store } = ports
    const tokens = positionTokens(box)
    const admins = administrators(ports)
    let io: SocketServer | undefined
    let limits: SocketLimits | undefined
    const resumes = resumeLimiter(budgets.socketsPerSession, stopwatch)
    let reached: Position = beginning
    const delivering = deliverTo(readConnections(ports), tokens)
    const pushes = pusher({
      readModels,
      log,
      deliver: async (push) => {
        if (push.kind === 'roles') return admins.changed(push.owner, io?.sockets.sockets.values() ?? [])
        const room = isAdministrators(push) ? adminRoom : ownerRoom(push.owner)
        if (io?.sockets.adapter.rooms.has(room)) await delivering.deliver(io.to(room), push)
      },
    })

    /** Missed pushes go to this browser alone; new ones come through its room. */
    const resume = async (socket: BrowserSocket) => {
      const position = pushes.deliveredUpTo(reached)
      const { userId } = socket.data
      const since = tokens.latestOf(userId, socket.handshake.auth.position)
      const read = async () => (socket.connected && since ? missedPushes(store, userId, since) : undefined)
      const readsAnew = (error: unknown) => {
        log.info({ err: error }, 'missed pushes not read, the browser reloads')
        return undefined
      }
      const missed = since && (await resumes.run(userId, read).catch(readsAnew))
      const shown = await Promise.all(
        (missed ?? []).map(async (push) => ({ push, isShown: await pushes.isShown(push) })),
      )
      for (const { push } of shown) await delivering.deliver(socket, push)
      const isWhole = missed !== undefined && shown.every(({ isShown }) => isShown)
      emitResumed(socket, tokens, { tenant: userId, position, complete: isWhole })
    }

    /** Nothing was pushed while the tenant was parked, and it may be much: reload. */
    readModels.onResumed((tenant) => {
      if (io)
        emitResumed(io.to(ownerRoom(tenant)), tokens, {
          tenant,
          position: pushes.deliveredUpTo(reached),
          complete: false,
        })
    })

    const welcome = (socket: BrowserSocket) => {
      const { userId, sessionId } = socket.data
      void socket.join([ownerRoom(userId), sessionRoom(sessionId)])
      limits?.paceEvents(socket)
      watchContacts(socket, ports)
      void admins.updateRoom(socket)
      const troubled = (error: unknown) => log.warn({ err: error }, 'initial state of a socket not sent')
      delivering
        .emitConnections(socket, userId)
        .then(() => resume(socket))
        .catch(troubled)
    }

    const emitPosition = async (signal: AbortSignal) => {
      let last = reached
      for await (const _ of setInterval(positionEveryMs, undefined, { signal })) {
        const position = pushes.deliveredUpTo(reached)
        if (position !== last && io) emitReached(io, tokens, position)
        last = position
      }
    }

    const renewWatches = async (signal: AbortSignal) => {
      for await (const _ of setInterval(watchedEveryMs, undefined, { signal }))
        watchAgain(io?.sockets.sockets.values() ?? [], ports)
    }

    return {
      routes: async (app) => {
        const limit = socketLimits({ budgets, addressOf: app.addressOf, stopwatch, security })
        const { admitsFrom, admitsTo } = limit
        const onForeign = (request: IncomingMessage) =>
          security.record('foreign_origin', { ip: app.addressOf(request), route: '/socket.io' })
        const server = socketServer(app.server, trustedOrigins, { admitsFrom, onForeign, isOverTls: app.isOverTls })
        io = server
        limits = limit
        limit.watch(server)
        server.use(admit({ browserSessions, parseCookie: (header) => app.parseCookie(header), log, admitsTo }))
        server.on('connection', welcome)
        browserSessions.onRevoked((sessionId) => server.in(sessionRoom(sessionId)).disconnectSockets(true))
        pubSub.subscribe('presence.received', ({ contactId, state }) => {
          server.to(contactRoom(contactId)).emit('whatsapp:presence', { contactId, state })
        })
        // No disconnect packet: browsers would not reconnect after one.
        app.addHook('preClose', async () => {
          server.engine.close()
        })
      },
      metrics: () => [
        {
          name: 'prosa_sockets_open',
          help: 'Sockets of signed-in browsers.',
          kind: 'gauge',
          value: io?.sockets.sockets.size ?? 0,
        },
        ...(limits?.metrics() ?? []),
        {
          name: 'prosa_resumes_refused_total',
          help: 'Browsers that came back and read everything anew, as too many of their tenant asked what they missed.',
          kind: 'counter',
          value: resumes.refused(),
        },
      ],
      run: async (signal) => {
        const sockets = () => io?.sockets.sockets.values() ?? []
        const follow = (position: Position) => {
          reached = position
        }
        await Promise.all([
          followLog(ports, pushes.push, follow, signal),
          recheckSessions({ browserSessions, log, sockets, updateRoom: admins.updateRoom, everyMs: recheckMs }, signal),
          ...[emitPosition, renewWatches].map((work) =>
            work(signal).catch((error: unknown) => {
              if (!signal.aborted) throw error
            }),
          ),
        ])
      },
    }
  },
})
