import type { Connection } from '@prosa/contracts/http/connections'
import { contactId as contactIdSchema } from '@prosa/contracts/values/ids'
// Its types tell what the HTTP application decorates Fastify with, such as parseCookie.
import type {} from '@prosa/kernel/http/app'
import type { Ports, Service } from '@prosa/kernel/ports'
import { admit } from './admit.ts'
import { followLog } from './follow-log.ts'
import { ownerOfContact } from './owner-of-contact.ts'
import { pusher } from './pusher.ts'
import type { Push } from './pushes.ts'
import { recheckSessions } from './recheck-sessions.ts'
import { contactRoom, ownerRoom, sessionRoom } from './rooms.ts'
import { type BrowserSocket, type SocketServer, socketServer } from './socket-server.ts'

export interface RealtimeOptions {
  /** The connections of a subscriber as their read model shows them. */
  readConnections: (owner: string) => Promise<Connection[]>
  /** Origins of browsers beside the address under which the server itself was called. */
  trustedOrigins: readonly string[]
  /** How often open sockets are asked whether their browser session still holds. */
  recheckMilliseconds?: number
}

/**
 * Tells browsers what the read models newly show. Every process follows the log itself and serves its own sockets, so any
 * number of them may run without knowing of each other.
 */
export const realtime = ({
  readConnections,
  trustedOrigins,
  recheckMilliseconds = 60_000,
}: RealtimeOptions): Service => ({
  name: 'realtime',
  async mount(ports) {
    const { browserSessions, log } = ports
    let io: SocketServer | undefined
    let connectionPushes = 0

    /** Reads again when a push went out meanwhile, so that an older list never follows a newer connection. */
    const tellConnections = async (socket: BrowserSocket) => {
      for (;;) {
        const before = connectionPushes
        const connections = await readConnections(socket.data.userId)
        if (before === connectionPushes) return socket.emit('whatsapp:connections', connections)
      }
    }

    const welcome = (socket: BrowserSocket) => {
      const { userId, sessionId } = socket.data
      void socket.join([ownerRoom(userId), sessionRoom(sessionId)])
      watchContacts(socket, ports)
      tellConnections(socket).catch((error) => log.warn({ err: error }, 'a new socket was not told its connections'))
    }

    const deliver = async ({ kind, owner, id, position }: Push) => {
      const browsers = io?.to(ownerRoom(owner))
      if (kind === 'message') browsers?.emit('whatsapp:new_message', { contactId: id, position })
      else if (kind === 'contact') browsers?.emit('whatsapp:contact_update', { contactId: id, position })
      else {
        const connection = (await readConnections(owner)).find((shown) => shown.id === id)
        connectionPushes++
        if (connection) browsers?.emit('whatsapp:connection_update', connection)
        else browsers?.emit('whatsapp:connection_removed', { connectionId: id })
      }
    }

    return {
      routes: async (app) => {
        const server = socketServer(app.server, trustedOrigins)
        io = server
        server.use(admit({ browserSessions, parseCookie: (header) => app.parseCookie(header), log }))
        server.on('connection', welcome)
        browserSessions.onRevoked((sessionId) => server.in(sessionRoom(sessionId)).disconnectSockets(true))
        // Cuts the connections without a word of farewell: after one, browsers would not come back by themselves.
        app.addHook('preClose', async () => {
          server.engine.close()
        })
      },
      figures: () => [
        {
          name: 'prosa_sockets_open',
          help: 'Sockets of signed-in browsers.',
          kind: 'gauge',
          value: io?.sockets.sockets.size ?? 0,
        },
      ],
      run: async (signal) => {
        const sockets = () => io?.sockets.sockets.values() ?? []
        await Promise.all([
          followLog(ports, pusher({ readModels: ports.readModels, log, deliver }), signal),
          recheckSessions({ browserSessions, log, sockets, everyMilliseconds: recheckMilliseconds }, signal),
        ])
      },
    }
  },
})

/** A browser may say which chat is in view; only its own subscriber's. */
const watchContacts = (socket: BrowserSocket, { store, log }: Ports) => {
  socket.on('contact:open', async (contactId, acknowledge) => {
    const answer = (joined: boolean) => typeof acknowledge === 'function' && acknowledge(joined)
    try {
      const isOwn = (await ownerOfContact(store, contactId)) === socket.data.userId
      if (isOwn) await socket.join(contactRoom(contactIdSchema.parse(contactId)))
      answer(isOwn)
    } catch (error) {
      log.warn({ err: error }, 'a chat could not be opened')
      answer(false)
    }
  })
  socket.on('contact:close', (contactId) => void socket.leave(contactRoom(String(contactId))))
}
