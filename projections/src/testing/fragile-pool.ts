import { Socket } from 'node:net'
import pg, { type Pool } from 'pg'

/** Sockets break at given writes: before (nothing is received) or after (the answer is lost). */
export const fragilePool = (url: string, breaks: readonly { write: number; isReceived: boolean }[]): Pool => {
  let writes = 0
  const fragileSocket = () => {
    const socket = new Socket()
    // `connect` restores the socket's `write`.
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
  // As in `openPool`.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
