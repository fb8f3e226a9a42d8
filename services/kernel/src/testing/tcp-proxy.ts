import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Makes current connections half open; new ones work. */
  freeze(): void
  /** Ends current connections and, while `yes`, new ones. */
  refuse(yes: boolean): void
  refused(): number
  close(): Promise<void>
}

/** To a server on 127.0.0.1. */
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
      // 'close' follows and ends the other side.
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
