import type { Server as HttpServer, IncomingMessage } from 'node:http'
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

/** Who has opened a connection and not shown a session by then is let go: as long as our own client waits for an answer. */
const signInMilliseconds = 20_000

export interface HandshakeRules {
  admitsFrom: (request: IncomingMessage) => boolean
  /** Called with handshakes that another site's page started. */
  onForeign: (request: IncomingMessage) => void
}

/**
 * Socket.IO beside the HTTP application, at `/socket.io`; handshakes that another site's page starts, or of whose address there are too
 * many (`admitsFrom`), are refused with 403.
 */
export const socketServer = (
  http: HttpServer,
  trustedOrigins: readonly string[],
  { admitsFrom, onForeign }: HandshakeRules,
): SocketServer =>
  new Server(http, {
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: maxMessageBytes,
    connectTimeout: signInMilliseconds,
    allowRequest: (request, decide) => {
      if (!isOwnOrigin(request.headers, trustedOrigins)) {
        onForeign(request)
        decide('foreign_origin', false)
      } else if (!admitsFrom(request)) decide('too_many_sockets', false)
      else decide(null, true)
    },
  })
