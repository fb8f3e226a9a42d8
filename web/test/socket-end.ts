import type { ProsaSocket } from '../src/lib/realtime/socket.tsx'

type Handler = (payload: unknown) => void

/** `push` calls the page's handlers (also 'connect' and 'disconnect'), `emitted` is what it sent, `handshake` its auth data. */
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
  /** socket.io does not retry a refused handshake. */
  const refuse = (type: string) => {
    socket.active = false
    push('connect_error', Object.assign(new Error(type), { data: { type } }))
  }
  return { socket: socket as unknown as ProsaSocket, push, emitted, handshake, refuse, attempts: () => attempts }
}
