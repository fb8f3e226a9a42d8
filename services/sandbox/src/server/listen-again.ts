import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Listens on 127.0.0.1 at the previous port; if 0 or taken, at any. Returns the port. */
export async function listenAgain(server: Server, port: number): Promise<number> {
  for (const wish of port ? [port, 0] : [0]) {
    server.listen(wish, '127.0.0.1')
    const failure = await once(server, 'listening').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    )
    if (!failure) break
    if (failure.code !== 'EADDRINUSE' || wish === 0) throw failure
  }
  return (server.address() as AddressInfo).port
}
