import type { Roles } from '@prosa/kernel/http/roles'
import type { Logger } from '@prosa/kernel/observability/log'
import { adminRoom } from './rooms.ts'
import type { BrowserSocket } from './socket-server.ts'

export interface Administrators {
  updateRoom(socket: BrowserSocket): Promise<void>
  changed(userId: string, sockets: Iterable<BrowserSocket>): Promise<void>
}

/** The server alone decides membership, again whenever roles change. */
export const administrators = ({ roles, log }: { roles: Roles; log: Logger }): Administrators => {
  const updateRoom = async (socket: BrowserSocket) => {
    try {
      const userRoles = await roles.of(socket.data.userId)
      if (userRoles.includes('admin') && socket.connected) await socket.join(adminRoom)
      else await socket.leave(adminRoom)
    } catch (error) {
      // Fails closed.
      await socket.leave(adminRoom)
      log.warn({ err: error }, 'the roles of a socket could not be looked up')
    }
  }
  return {
    updateRoom,
    async changed(userId, sockets) {
      for (const socket of sockets) if (socket.data.userId === userId) await updateRoom(socket)
    },
  }
}
