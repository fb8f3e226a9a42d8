import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect as openSocket, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { forwardedHeaders, internalHeaders, keyHeader } from '../topology/internal-headers.ts'
import { takesKey } from '../topology/routes.ts'

export interface LocalRouter {
  url: string
  stop(): Promise<void>
}

export interface LocalRouterOptions {
  port?: number
  /** Of the instances that may answer; tried in this order. */
  portsOf: (method: string, target: string) => readonly number[]
}

const isStripped = (name: string, target: string) =>
  (name === keyHeader.toLowerCase() && !takesKey(target)) ||
  [...internalHeaders, ...forwardedHeaders].some((each) => {
    const [prefix = '', rest] = each.toLowerCase().split('*')
    return rest === undefined ? name === prefix : name.startsWith(prefix)
  })

/** As the gateway's Caddyfile has it. */
const headersInside = ({ url = '', headers, socket }: IncomingMessage): IncomingHttpHeaders => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isStripped(name, url))),
  'x-forwarded-for': socket.remoteAddress,
  'x-forwarded-proto': 'http',
  'x-forwarded-host': headers.host,
})

const sticky = 'prosa_gateway'
const stickyIn = ({ headers: { cookie = '' } }: IncomingMessage): number | undefined => {
  const found = cookie.split(';').map((each) => each.trim().split('='))
  const value = found.find(([name]) => name === sticky)?.[1]
  return value === undefined ? undefined : Number(value)
}

const tryMs = 10_000
const pauseMs = 100

/** A connection to the first instance that takes one; instances that end are started again meanwhile. */
const connect = async (ports: readonly number[]): Promise<{ socket: Socket; port: number } | undefined> => {
  const until = performance.now() + tryMs
  do {
    for (const port of ports) {
      const socket = openSocket({ host: '127.0.0.1', port })
      try {
        await once(socket, 'connect')
        return { socket, port }
      } catch {
        // Refused: the next one.
        socket.destroy()
      }
    }
    await delay(pauseMs)
  } while (ports.length > 0 && performance.now() < until)
  return undefined
}

/** In front of several processes where no Caddy is installed: forwards requests and upgrades, and keeps a browser at one instance. */
export const startLocalRouter = async ({ port: own = 0, portsOf }: LocalRouterOptions): Promise<LocalRouter> => {
  let asked = 0
  const choose = (incoming: IncomingMessage): number[] => {
    const ports = [...portsOf(incoming.method ?? '', incoming.url ?? '')]
    const chosen = stickyIn(incoming)
    asked += 1
    const first =
      chosen !== undefined && ports.includes(chosen) ? ports.indexOf(chosen) : asked % Math.max(1, ports.length)
    return [...ports.slice(first), ...ports.slice(0, first)]
  }
  const handOn = async (incoming: IncomingMessage) => {
    const ports = choose(incoming)
    const found = await connect(ports)
    if (!found) return undefined
    const { method, url } = incoming
    const outgoing = request({
      createConnection: () => found.socket,
      method,
      path: url,
      headers: headersInside(incoming),
    })
    return { outgoing, port: found.port, isChosen: ports.length > 1 }
  }

  const server = createServer(async (incoming, reply) => {
    const onward = await handOn(incoming)
    if (!onward) {
      reply.writeHead(502, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '2' })
      reply.end('O Prosa está voltando. Tente de novo em instantes.')
      return
    }
    const { outgoing, port, isChosen } = onward
    outgoing.on('response', (response) => {
      const cookie = isChosen ? ['set-cookie', `${sticky}=${port}; Path=/`] : []
      reply.writeHead(response.statusCode ?? 502, [...response.rawHeaders, ...cookie])
      response.pipe(reply)
      response.on('error', () => reply.destroy())
    })
    outgoing.on('error', () => reply.destroy())
    reply.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', async (incoming, socket, head) => {
    const onward = await handOn(incoming)
    if (!onward) {
      socket.destroy()
      return
    }
    const { outgoing } = onward
    outgoing.on('upgrade', ({ rawHeaders }, upstream, first) => {
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      socket.write(first)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
      for (const each of [socket, upstream]) each.on('error', () => each.destroy())
    })
    outgoing.on('response', () => socket.destroy())
    outgoing.on('error', () => socket.destroy())
    outgoing.end()
  })
  server.listen(own, '127.0.0.1')
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
