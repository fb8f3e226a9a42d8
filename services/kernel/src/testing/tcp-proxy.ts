import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** The connections of this moment carry nothing any more, either way, and do not end: half open. New ones are not touched. */
  freeze(): void
  /** Ends the connections of this moment, and while `yes` every new one at once. */
  refuse(yes: boolean): void
  /** How many connections were ended at once. */
  refused(): number
  close(): Promise<void>
}

/** Stands between a client and a server on 127.0.0.1, as a network would. */
export const tcpProxy = async (targetPort: number): Promise<TcpProxy> => {
  const pairs = new Set<[Socket, Socket]>()
  const frozen = new Set<Socket>()
  let refusing = false
  let refused = 0
  const server = createServer((client) => {
    if (refusing) {
      refused++
      client.destroy()
      return
    }
    const target = connect(targetPort, '127.0.0.1')
    const pair: [Socket, Socket] = [client, target]
    pairs.add(pair)
    for (const [from, to] of [pair, [target, client] as const]) {
      from.on('data', (bytes) => {
        if (!frozen.has(from)) to.write(bytes)
      })
      // An error is followed by 'close', which ends the other side.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        pairs.delete(pair)
        if (!frozen.has(from)) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      for (const pair of pairs) for (const socket of pair) frozen.add(socket)
    },
    refuse(yes) {
      refusing = yes
      if (yes) end()
    },
    refused: () => refused,
    async close() {
      for (const socket of frozen) socket.destroy()
      end()
      server.close()
      await once(server, 'close')
    },
  }
}
