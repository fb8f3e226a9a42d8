import { once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

export interface Router {
  url: string
  stop(): Promise<void>
}

/** A proxy before several processes: forwards requests and upgrades to the port of `portOf`. */
export const startRouter = async (portOf: (method: string, path: string) => number): Promise<Router> => {
  const handOn = ({ method = '', url = '', headers }: IncomingMessage): ClientRequest =>
    request({ host: '127.0.0.1', port: portOf(method, url), method, path: url, headers })

  const server = createServer((incoming, reply) => {
    const outgoing = handOn(incoming)
    outgoing.on('response', (response) => {
      reply.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(reply)
    })
    outgoing.on('error', () => reply.destroy())
    incoming.pipe(outgoing)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (incoming, socket, head) => {
    const outgoing = handOn(incoming)
    outgoing.on('upgrade', ({ rawHeaders }, upstream, first) => {
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      socket.write(first)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
      for (const each of [socket, upstream]) each.on('error', () => each.destroy())
    })
    outgoing.on('error', () => socket.destroy())
    outgoing.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the system gave no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
