import { randomBytes } from 'node:crypto'
import { type Host, host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/log'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { Simulator } from '@prosa/sandbox/simulator/simulator'
import { simulatorRoutes } from '@prosa/sandbox/simulator/simulator-routes'
import { allServices } from '../src/all-services.ts'
import { readConfig } from '../src/config.ts'
import { type OpenPorts, openPorts } from '../src/ports.ts'
import { serveWebApp } from '../src/web-app.ts'
import { Visitor } from './visitor.ts'

export interface Route {
  method: string
  url: string
}

export interface Product {
  url: string
  ports: OpenPorts
  /** The WhatsApp network that the product is connected to. */
  whatsapp: SandboxServer
  /** Every route that the product answers. */
  routes: readonly Route[]
  visitor(): Visitor
  stop(): Promise<void>
}

/**
 * The whole product in this process, on real PostgreSQL and the real Baileys, with a WhatsApp network of its own. With a
 * folder that holds the built web app, it is served too, with the simulated phones.
 */
export const startProduct = async ({ webFolder }: { webFolder?: string } = {}): Promise<Product> => {
  const database = await testPostgres()
  const whatsapp = new SandboxServer({ fewPreKeys: true })
  await whatsapp.start()
  const ports = await openPorts(database.url, randomBytes(32), silentLog())
  const config = { ...readConfig({ PROSA_PORT: '0' }), webSocketUrl: whatsapp.url }
  const routes: Route[] = []
  const running: Host = await host(allServices(config, ports), ports, {
    ...config,
    async prepare(app) {
      app.addHook('onRoute', ({ method, url }) => {
        for (const each of [method].flat()) routes.push({ method: each, url })
      })
      if (!webFolder) return
      await app.register(simulatorRoutes({ sandbox: new Simulator(whatsapp) }), { prefix: '/api/simulador' })
      await serveWebApp(app, webFolder)
    },
  })
  return {
    url: running.url,
    ports,
    whatsapp,
    routes,
    visitor: () => new Visitor(running.url),
    async stop() {
      await running.stop()
      await ports.close()
      await whatsapp.stop()
      await database.drop()
    },
  }
}
