import { beginning, type Position } from '@prosa/kernel/event-store/port'
import type { PositionTokens } from '@prosa/kernel/http/position-tokens'
import type { Listeners } from './deliver-to.ts'
import { ownerRoom } from './rooms.ts'
import type { SocketServer } from './socket-server.ts'

interface Resumed {
  tenant: string
  /** Up to here everything has been pushed. */
  position: Position
  complete: boolean
}

/** To browsers of one tenant that came back, or that are to read everything again. */
export const emitResumed = (
  listeners: Listeners,
  { tokenOf }: Pick<PositionTokens, 'tokenOf'>,
  { tenant, position, complete }: Resumed,
): void => {
  if (position !== beginning) listeners.emit('resumed', { position: tokenOf(tenant, position), complete })
}

/** Everything up to this position has been pushed: to each tenant in a token of its own. */
export const emitReached = (
  io: SocketServer,
  { tokenOf }: Pick<PositionTokens, 'tokenOf'>,
  position: Position,
): void => {
  const tenants = new Set(Array.from(io.sockets.sockets.values(), ({ data }) => data.userId))
  for (const tenant of tenants) io.to(ownerRoom(tenant)).emit('told', { position: tokenOf(tenant, position) })
}
