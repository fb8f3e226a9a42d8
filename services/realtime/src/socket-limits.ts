import type { IncomingMessage } from 'node:http'
import { type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import type { Metric } from '@prosa/kernel/observability/metric'
import type { SecurityLog } from '@prosa/kernel/observability/security-log'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Redis } from '@prosa/kernel/redis/redis'
import { sharedPace } from '@prosa/kernel/redis/shared-pace'
import { sharedSlots } from '@prosa/kernel/redis/shared-slots'
import type { Budgets } from '@prosa/product/budgets'
import type { BrowserSocket, SocketData, SocketServer } from './socket-server.ts'

type Connection = BrowserSocket['conn']

export interface SocketLimitOptions {
  budgets: Pick<Budgets, 'socketsPerSession' | 'socketsPerAddress' | 'socketEventsPerSecond'>
  addressOf: (request: IncomingMessage) => string
  /** Monotonic ms. */
  stopwatch: () => number
  security: SecurityLog
  /** Redis gets fingerprints, no addresses. */
  box: SecretBox
  redis?: Redis
}

export type SignedInBrowser = Pick<SocketData, 'userId' | 'sessionId'>

export interface SocketLimits {
  admitsFrom(request: IncomingMessage): boolean
  /** Counts connections, and cuts those that flood. */
  watch(server: SocketServer): void
  /** Takes one of the session's slots until the socket closes. */
  admitsTo(session: SignedInBrowser, socket: BrowserSocket): Promise<boolean>
  paceEvents(socket: BrowserSocket): void
  metrics(): Metric[]
  /** Keeps what this process counts known to others, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

/** Multiple of the rate limit at which a connection is cut. */
const floodFactor = 10
const burstSeconds = 10
/** A session may reopen all sockets twice in a row, then once in so many seconds. */
const reopenSeconds = 30
const maxSessions = 20_000

const paceOf = (perSecond: number, burst: number) => ({ interval: 1000 / perSecond, burst })

interface Counts {
  refused: { address: number; session: number }
  cut: number
  dropped: number
}

const metricsOf = ({ refused, cut, dropped }: Counts): Metric[] => {
  const counter = { kind: 'counter' } as const
  const help = 'Sockets that were refused, as their browser session or address had too many.'
  return [
    { ...counter, name: 'prosa_sockets_refused_total', help, value: refused.session, labels: { by: 'session' } },
    { ...counter, name: 'prosa_sockets_refused_total', help, value: refused.address, labels: { by: 'address' } },
    {
      ...counter,
      name: 'prosa_sockets_cut_total',
      help: 'Sockets that were cut, as they sent far too much.',
      value: cut,
    },
    {
      ...counter,
      name: 'prosa_socket_events_dropped_total',
      help: 'Events of browsers that were dropped, as they came too fast.',
      value: dropped,
    },
  ]
}

/** By connection: a browser may open and close sockets on one. */
const eventPace = (pace: ReturnType<typeof paceOf>, stopwatch: () => number) => {
  const buckets = new WeakMap<Connection, TokenBucket>()
  return (connection: Connection): boolean => {
    const bucket = buckets.get(connection) ?? tokenBucket(pace, stopwatch)
    buckets.set(connection, bucket)
    return bucket.tryTake()
  }
}

/** Over all processes with Redis; else, and while it is away, each process allows the full limit. */
export const socketLimits = (options: SocketLimitOptions): SocketLimits => {
  const { budgets, addressOf, stopwatch, security, box, redis } = options
  const { socketsPerSession, socketsPerAddress, socketEventsPerSecond } = budgets
  const shared = sharedSlots(redis)
  const ofAddress = shared.slots('address', socketsPerAddress)
  const ofSession = shared.slots('session', socketsPerSession)
  const openings = sharedPace({ redis, now: stopwatch, scope: 'openings', maxKeys: maxSessions })
  const openingPace = paceOf(socketsPerSession / reopenSeconds, 2 * socketsPerSession)
  const paceOfEvents = paceOf(socketEventsPerSecond, socketEventsPerSecond * burstSeconds)
  const floodPace = paceOf(socketEventsPerSecond * floodFactor, paceOfEvents.burst * floodFactor)
  const takesEvent = eventPace(paceOfEvents, stopwatch)
  const admitted = new WeakSet<Connection>()
  const counts: Counts = { refused: { address: 0, session: 0 }, cut: 0, dropped: 0 }

  const refuse = (by: keyof Counts['refused'], request: IncomingMessage, userId?: string) => {
    counts.refused[by] += 1
    security.record('too_many_sockets', { userId, ip: addressOf(request), route: '/socket.io' })
  }

  const mayOpen = async (sessionId: string): Promise<boolean> => (await openings.take(sessionId, openingPace)) === 0
  const slotOf = (request: IncomingMessage) => box.fingerprint(addressOf(request), 'rate limit')

  const takeSlot = async (sessionId: string, connection: Connection): Promise<boolean> => {
    if (admitted.has(connection)) return true
    admitted.add(connection)
    const release = await ofSession.take(sessionId)
    if (!release) admitted.delete(connection)
    // Closed meanwhile: nothing else would release it.
    else if (connection.readyState === 'closed') release()
    else connection.once('close', release)
    return release !== undefined
  }

  const takeAddress = async (connection: Connection): Promise<void> => {
    const release = await ofAddress.take(slotOf(connection.request))
    if (release && connection.readyState !== 'closed') connection.once('close', release)
    else if (release) release()
    else {
      // Many were admitted concurrently, or by other processes.
      refuse('address', connection.request)
      connection.close(true)
    }
  }

  return {
    admitsFrom(request) {
      if (!ofAddress.isFull(slotOf(request))) return true
      refuse('address', request)
      return false
    },
    watch(server) {
      server.engine.on('connection', (connection: Connection) => {
        void takeAddress(connection)
        const flood = tokenBucket(floodPace, stopwatch)
        connection.on('packet', () => {
          if (flood.tryTake()) return
          if (connection.readyState === 'open') counts.cut += 1
          connection.close(true)
        })
      })
    },
    async admitsTo({ sessionId, userId }, { conn }) {
      const isAdmitted = takesEvent(conn) && (await mayOpen(sessionId)) && (await takeSlot(sessionId, conn))
      if (!isAdmitted) refuse('session', conn.request, userId)
      return isAdmitted
    },
    paceEvents(socket) {
      socket.use((_event, next) => {
        if (takesEvent(socket.conn)) next()
        else counts.dropped += 1
      })
    },
    metrics: () => metricsOf(counts),
    run: shared.run,
  }
}
