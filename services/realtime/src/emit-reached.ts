import { beginning, type Position } from '@prosa/kernel/event-store/port'
import type { PositionTokens } from '@prosa/kernel/http/position-tokens'
import type { Listeners } from './deliver-to.ts'
import { ownerRoom } from './rooms.ts'
import type { SocketServer } from './socket-server.ts'

interface Resumed {
  tenant: string
  position: Position
  complete: boolean
}

/** For browsers that reconnected or must reload. */
export const emitResumed = (
  listeners: Listeners,
  { tokenOf }: Pick<PositionTokens, 'tokenOf'>,
  { tenant, position, complete }: Resumed,
): void => {
  if (position !== beginning) listeners.emit('resumed', { position: tokenOf(tenant, position), complete })
}

/** Everything up to this position has been pushed; each tenant gets its own token. */
export const emitReached = (
  io: SocketServer,
  { tokenOf }: Pick<PositionTokens, 'tokenOf'>,
  position: Position,
): void => {
  const tenants = new Set(Array.from(io.sockets.sockets.values(), ({ data }) => data.userId))
  for (const tenant of tenants) io.to(ownerRoom(tenant)).emit('position', { position: tokenOf(tenant, position) })
}
