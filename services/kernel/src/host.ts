import type { FastifyInstance } from 'fastify'
import { createApp } from './http/app.ts'
import type { Ports, Service } from './ports.ts'
import { type ReactorHealth, runReactor } from './reactors/run-reactor.ts'

export interface HostOptions {
  hostname: string
  port: number
  trustedOrigins: readonly string[]
  trustProxy?: boolean
  /** Adds what is not a service: security headers, the web app's files. */
  prepare?: (app: FastifyInstance) => Promise<void>
}

export interface Host {
  /** e.g. `http://localhost:3000` */
  url: string
  app: FastifyInstance
  /** Drains in order: no new requests, reactors and services finish what they have in hand; then resolves. */
  stop(): Promise<void>
}

/** Runs one service or all of them in this process, on one port. */
export const host = async (services: readonly Service[], ports: Ports, options: HostOptions): Promise<Host> => {
  const { log } = ports
  const app = await createApp({ ...options, log, browserSessions: ports.browserSessions })
  await options.prepare?.(app)
  const stopping = new AbortController()
  const reactorHealth: ReactorHealth = new Map()
  const running: Promise<void>[] = []
  const healthReports: (() => Record<string, unknown>)[] = []

  for (const service of services) {
    const { routes, reactors = [], run, health } = await service.mount(ports)
    if (routes) await app.register(routes)
    for (const reactor of reactors) running.push(runReactor(reactor, ports, stopping.signal, reactorHealth))
    if (run) running.push(run(stopping.signal))
    if (health) healthReports.push(health)
    log.info({ service: service.name, reactors: reactors.map(({ name }) => name) }, 'service mounted')
  }

  app.get('/health/live', async () => ({ live: true }))
  app.get('/health/ready', async (_, reply) => {
    const trouble = Object.assign({}, ...healthReports.map((report) => report()))
    for (const [name, { reason }] of reactorHealth) trouble[`reactor ${name}`] = reason
    const database = await ports.pool.query('select 1').then(
      () => true,
      () => false,
    )
    return reply.code(database ? 200 : 503).send({ ready: database, database, trouble })
  })

  await app.listen({ host: options.hostname, port: options.port })
  const address = app.server.address()
  const port = address && typeof address === 'object' ? address.port : options.port
  return {
    url: `http://${options.hostname === '127.0.0.1' ? 'localhost' : options.hostname}:${port}`,
    app,
    async stop() {
      await app.close()
      stopping.abort()
      await Promise.all(running)
      await ports.store.close()
    },
  }
}
