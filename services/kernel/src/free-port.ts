import { once } from 'node:events'
import { createServer } from 'node:net'

/** A TCP port of this machine that nobody listened on a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (!address || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}
