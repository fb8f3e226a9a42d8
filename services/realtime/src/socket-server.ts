import { type Server as HttpServer, type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import type { Session } from '@prosa/kernel/http/authentication/authenticator'
import { rawSecurityHeaders } from '@prosa/kernel/http/security-headers'
import { isOwnOrigin } from '@prosa/kernel/http/sign-in/own-origin'
import type { DefaultEventsMap, Socket } from 'socket.io'
import { Server } from 'socket.io'

export type SocketData = Session

export type SocketServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>
export type BrowserSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>

/** Clients only name contacts. */
const maxMessageBytes = 16 * 1024

/** Timeout until a session is shown, as in our own client. */
const signInMs = 20_000

export interface HandshakeRules {
  admitsFrom: (request: IncomingMessage) => boolean
  /** Cross-site handshakes. */
  onForeign: (request: IncomingMessage) => void
  isOverTls: (request: IncomingMessage) => boolean
}

interface RefusedHandshake {
  req: IncomingMessage
  code: number
  message: string
  context?: { message?: string }
}

const forbiddenCode = 4

/** Adds the usual headers to engine.io's replies; refused upgrades get none from it. */
const addHeaders = (
  { engine }: SocketServer,
  headersOf: (request: IncomingMessage) => Record<string, string>,
): void => {
  const upgrades = new WeakSet<IncomingMessage>()
  engine.use((request: IncomingMessage, response: Pick<ServerResponse, 'setHeader'>, next: () => void) => {
    if (!(response instanceof ServerResponse)) upgrades.add(request)
    for (const [name, value] of Object.entries(headersOf(request))) response.setHeader(name, value)
    next()
  })
  engine.on('connection_error', ({ req, code, message, context }: RefusedHandshake) => {
    if (!upgrades.has(req) || !req.socket.writable) return
    const body = JSON.stringify({ code, message: context?.message ?? message })
    const status = code === forbiddenCode ? 403 : 400
    const headers = {
      ...headersOf(req),
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    req.socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  })
}

/** Cross-site handshakes and those over the address's limit (`admitsFrom`) get 403. */
export const socketServer = (
  http: HttpServer,
  trustedOrigins: readonly string[],
  { admitsFrom, onForeign, isOverTls }: HandshakeRules,
): SocketServer => {
  const server: SocketServer = new Server(http, {
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: maxMessageBytes,
    connectTimeout: signInMs,
    allowRequest: (request, decide) => {
      if (!isOwnOrigin(request.headers, trustedOrigins)) {
        onForeign(request)
        decide('foreign_origin', false)
      } else if (!admitsFrom(request)) decide('too_many_sockets', false)
      else decide(null, true)
    },
  })
  addHeaders(server, (request) => ({ ...rawSecurityHeaders(isOverTls(request)), 'cache-control': 'no-store' }))
  return server
}
