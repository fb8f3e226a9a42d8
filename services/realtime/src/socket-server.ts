import type { Server as HttpServer } from 'node:http'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import { isOwnOrigin } from '@prosa/kernel/http/own-origin'
import type { DefaultEventsMap, Socket } from 'socket.io'
import { Server } from 'socket.io'

/** What the server knows of a socket; the token is kept to ask again whether the session still holds. */
export interface SocketData {
  userId: string
  sessionId: string
  token: string
}

export type SocketServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>
export type BrowserSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>

/** Clients only name contacts. */
const maxMessageBytes = 16 * 1024

/** Socket.IO beside the HTTP application, at `/socket.io`; handshakes that another site's page starts are refused with 403. */
export const socketServer = (http: HttpServer, trustedOrigins: readonly string[]): SocketServer =>
  new Server(http, {
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: maxMessageBytes,
    allowRequest: ({ headers }, decide) => {
      const isOwn = isOwnOrigin(headers, trustedOrigins)
      decide(isOwn ? null : 'foreign_origin', isOwn)
    },
  })
