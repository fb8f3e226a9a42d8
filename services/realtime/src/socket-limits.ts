import type { IncomingMessage } from 'node:http'
import { type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Metric } from '@prosa/kernel/observability/metric'
import type { SecurityLog } from '@prosa/kernel/observability/security-log'
import type { Budgets } from '@prosa/product/budgets'
import { slots } from './slots.ts'
import type { BrowserSocket, SocketData, SocketServer } from './socket-server.ts'

type Connection = BrowserSocket['conn']

export interface SocketLimitOptions {
  budgets: Pick<Budgets, 'socketsPerSession' | 'socketsPerAddress' | 'socketEventsPerSecond'>
  addressOf: (request: IncomingMessage) => string
  /** Monotonic ms. */
  stopwatch: () => number
  security: SecurityLog
}

export type SignedInBrowser = Pick<SocketData, 'userId' | 'sessionId'>

export interface SocketLimits {
  admitsFrom(request: IncomingMessage): boolean
  /** Counts connections, and cuts those that flood. */
  watch(server: SocketServer): void
  /** Takes one of the session's slots until the socket closes. */
  admitsTo(session: SignedInBrowser, socket: BrowserSocket): boolean
  paceEvents(socket: BrowserSocket): void
  metrics(): Metric[]
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

/** In this process; each process allows the full limit. */
export const socketLimits = ({ budgets, addressOf, stopwatch, security }: SocketLimitOptions): SocketLimits => {
  const { socketsPerSession, socketsPerAddress, socketEventsPerSecond } = budgets
  const ofAddress = slots(socketsPerAddress)
  const ofSession = slots(socketsPerSession)
  const openings = lruMap<string, TokenBucket>(maxSessions)
  const openingPace = paceOf(socketsPerSession / reopenSeconds, 2 * socketsPerSession)
  const eventPace = paceOf(socketEventsPerSecond, socketEventsPerSecond * burstSeconds)
  const floodPace = paceOf(socketEventsPerSecond * floodFactor, eventPace.burst * floodFactor)
  /** By connection: a browser may open and close sockets on one. */
  const events = new WeakMap<Connection, TokenBucket>()
  const admitted = new WeakSet<Connection>()
  const counts: Counts = { refused: { address: 0, session: 0 }, cut: 0, dropped: 0 }

  const refuse = (by: keyof Counts['refused'], request: IncomingMessage, userId?: string) => {
    counts.refused[by] += 1
    security.record('too_many_sockets', { userId, ip: addressOf(request), route: '/socket.io' })
  }

  const takesEvent = (connection: Connection): boolean => {
    const bucket = events.get(connection) ?? tokenBucket(eventPace, stopwatch)
    events.set(connection, bucket)
    return bucket.tryTake()
  }

  const mayOpen = (sessionId: string): boolean => {
    const bucket = openings.get(sessionId) ?? tokenBucket(openingPace, stopwatch)
    openings.set(sessionId, bucket)
    return bucket.tryTake()
  }

  const takeSlot = (sessionId: string, connection: Connection): boolean => {
    if (admitted.has(connection)) return true
    const release = ofSession.take(sessionId)
    if (!release) return false
    admitted.add(connection)
    connection.once('close', release)
    return true
  }

  return {
    admitsFrom(request) {
      if (!ofAddress.isFull(addressOf(request))) return true
      refuse('address', request)
      return false
    },
    watch(server) {
      server.engine.on('connection', (connection: Connection) => {
        const release = ofAddress.take(addressOf(connection.request))
        // Many were admitted concurrently.
        if (!release) {
          refuse('address', connection.request)
          connection.close(true)
          return
        }
        connection.once('close', release)
        const flood = tokenBucket(floodPace, stopwatch)
        connection.on('packet', () => {
          if (flood.tryTake()) return
          if (connection.readyState === 'open') counts.cut += 1
          connection.close(true)
        })
      })
    },
    admitsTo({ sessionId, userId }, { conn }) {
      const isAdmitted = takesEvent(conn) && mayOpen(sessionId) && takeSlot(sessionId, conn)
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
  }
}
