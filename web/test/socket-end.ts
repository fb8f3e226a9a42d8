import type { ProsaSocket } from '../src/lib/socket.tsx'

type Handler = (payload: unknown) => void

/**
 * The far end of the socket: `push` reaches the page's handlers (also of socket.io's own 'connect' and 'disconnect'), `emitted`
 * is what the page sent, `handshake` what it would send on connecting now, `attempts` how
 * often it tried to connect by itself.
 */
export const socketEnd = () => {
  const handlers = new Map<string, Set<Handler>>()
  const emitted: unknown[][] = []
  let attempts = 0
  const socket = {
    active: true,
    connect: () => {
      attempts += 1
      return socket
    },
    auth: undefined as ((send: (auth: object) => void) => void) | undefined,
    on: (name: string, handler: Handler) => {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler))
      return socket
    },
    off: (name: string, handler: Handler) => {
      handlers.get(name)?.delete(handler)
      return socket
    },
    emit: (name: string, contactId: string, detail?: unknown) =>
      emitted.push(typeof detail === 'string' ? [name, contactId, detail] : [name, contactId]),
  }
  const push = (name: string, payload?: unknown) => {
    for (const handler of handlers.get(name) ?? []) handler(payload)
  }
  const handshake = () => {
    let sent: object | undefined
    socket.auth?.((auth) => {
      sent = auth
    })
    return sent
  }
  /** The server refuses the handshake: socket.io does not try again by itself. */
  const refuse = (type: string) => {
    socket.active = false
    push('connect_error', Object.assign(new Error(type), { data: { type } }))
  }
  return { socket: socket as unknown as ProsaSocket, push, emitted, handshake, refuse, attempts: () => attempts }
}
