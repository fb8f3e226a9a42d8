import { Socket } from 'node:net'
import pg, { type Pool } from 'pg'

/**
 * A pool over sockets that break at given writes, counted over all of them: before the write (the server receives nothing) or
 * after it (the server may do what was asked, and its answer is lost).
 */
export const fragilePool = (url: string, breaks: readonly { write: number; isReceived: boolean }[]): Pool => {
  let writes = 0
  const fragileSocket = () => {
    const socket = new Socket()
    // Only once it is connected: `connect` puts the socket's own `write` back.
    socket.once('connect', () => {
      const write = socket.write.bind(socket)
      socket.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
        const found = breaks.find((broken) => broken.write === writes)
        writes++
        if (found && !found.isReceived) {
          socket.destroy()
          return false
        }
        const isFlowing = write(chunk, ...(rest as []))
        if (found) socket.destroySoon()
        return isFlowing
      }
    })
    return socket
  }
  const pool = new pg.Pool({ connectionString: url, max: 2, stream: fragileSocket })
  // As `openPool` does: a checked-out connection that is lost must not end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
