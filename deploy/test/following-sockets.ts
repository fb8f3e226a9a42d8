import type { User } from '@prosa/contracts/http/accounts/auth'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { positionTokens } from '@prosa/kernel/http/reading/position-tokens'
import { until } from '@prosa/kernel/testing/until'
import { pushesFor } from '@prosa/realtime/pushes'
import { io, type Socket } from 'socket.io-client'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

/** By contact, the position of the last message that changed. */
type Goal = ReadonlyMap<string, Position>

const later = (one: Position, other: Position) => (one > other ? one : other)

/** The web app waits five seconds after a refused handshake. */
const refusedRetryMs = 1000

/** Comes back as the web app does: websocket first, from the position that it received last. */
const follower = ({ url, cookie = '' }: Visitor, positionOf: (token: string) => Position) => {
  const socket: Socket<ServerToClient, ClientToServer> = io(url, {
    path: '/socket.io',
    forceNew: true,
    transports: ['websocket'],
    reconnectionDelay: 100,
    reconnectionDelayMax: 1000,
    extraHeaders: { cookie },
  })
  const pushed = new Map<string, Position>()
  let received: string | undefined
  /** It read everything, up to here. */
  let read = beginning
  socket.auth = (send) => send(received === undefined ? {} : { position: received })
  socket.on('position', ({ position }) => {
    received = position
  })
  socket.on('resumed', ({ position, complete }) => {
    received = position
    if (!complete) read = later(read, positionOf(position))
  })
  socket.on('whatsapp:new_message', ({ contactId, position }) => {
    pushed.set(contactId, later(pushed.get(contactId) ?? beginning, positionOf(position)))
  })
  const openAgain = () => {
    if (!socket.active && !isClosed) setTimeout(() => socket.connect(), refusedRetryMs)
  }
  let isClosed = false
  socket.on('connect_error', openAgain)
  socket.on('disconnect', openAgain)
  return {
    isConnected: () => socket.connected,
    knows: (contactId: string, position: Position) => later(pushed.get(contactId) ?? beginning, read) >= position,
    close() {
      isClosed = true
      socket.disconnect()
    },
  }
}

export interface FollowingSockets {
  areConnected(): boolean
  /** Every message of the tenant that is in the log now. */
  goal(): Promise<Goal>
  /** Sockets and contacts of which a socket got no push, nor was asked to read everything. */
  missing(goal: Goal): string[]
  close(): void
}

/** Sockets of one session that keep what they were pushed. */
export const followingSockets = async (
  { ports: { store, box } }: Product,
  visitor: Visitor,
  count: number,
): Promise<FollowingSockets> => {
  const { id: tenant } = await visitor.get<User>('/api/auth/user')
  const tokens = positionTokens(box)
  const positionOf = (token: string) => tokens.latestOf(tenant, token) ?? beginning
  const followers = Array.from({ length: count }, () => follower(visitor, positionOf))
  const areConnected = () => followers.every(({ isConnected }) => isConnected())
  await until(areConnected, 60_000)
  const goal = new Map<string, Position>()
  let readUpTo = beginning
  return {
    areConnected,
    async goal() {
      for await (const { events, upTo } of store.readAll(readUpTo, { categories: ['chat'] })) {
        const own = events.filter(({ metadata }) => metadata.tenant === tenant)
        for (const { kind, id, position } of pushesFor(own)) if (kind === 'message') goal.set(id, position)
        readUpTo = upTo
      }
      return new Map(goal)
    },
    missing: (wanted) =>
      followers.flatMap(({ knows }, index) =>
        [...wanted].flatMap(([contactId, position]) =>
          knows(contactId, position) ? [] : [`socket ${index}, contact ${contactId}`],
        ),
      ),
    close: () => {
      for (const { close } of followers) close()
    },
  }
}
