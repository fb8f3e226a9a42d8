import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import type { Clock } from '@prosa/kernel/clock'
import type { FileStore } from '@prosa/kernel/files/port'
import { type Host, host } from '@prosa/kernel/host'
import { addSecurityHeaders } from '@prosa/kernel/http/security-headers'
import { type Logger, silentLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import type { ErasureJournal } from '@prosa/kernel/privacy/erasure-journal'
import { type Budgets, defaultBudgets } from '@prosa/product/budgets'
import { noPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Service } from '@prosa/product/ports'
import { readConfig } from '@prosa/product/process/config'
import { type OpenPorts, openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { Simulator } from '@prosa/sandbox/simulator/simulator'
import { simulatorRoutes } from '@prosa/sandbox/simulator/simulator-routes'
import { loopbackUploadAgent } from '@prosa/sandbox/wire/loopback-upload-agent'
import { allServices } from '../src/all-services.ts'
import { productLanding } from '../src/product-landing.ts'
import { serveApiDocs, serveWebApp } from '../src/web-app.ts'
import { Visitor } from './visitor.ts'

interface Route {
  method: string
  url: string
  /** Body limit in bytes, if not the default. */
  bodyLimit: number | undefined
  costs: Endpoint['costs']
  takesFile: boolean
}

export interface ClusteredProcess {
  id: string
  name: string
  pid: number
  url: string
}

export interface Product {
  url: string
  ports: OpenPorts
  whatsapp: SandboxServer
  routes: readonly Route[]
  /** Of a cluster. */
  processes?(): ClusteredProcess[]
  visitor(): Visitor
  stop(): Promise<void>
}

export interface ProductOptions {
  webFolder?: string
  /** Needs `webFolder` as `web/dist/<mode>`. */
  hasLandingPage?: boolean
  /** 1: the rate limits of production. All visitors share one address. */
  limitScale?: number
  log?: Logger
  database?: Omit<TestPostgres, 'expectParkedTenants'>
  secret?: Uint8Array
  /** EventStoreDB for the log, without other events; by default PostgreSQL. */
  eventStoreUrl?: string
  redisUrl?: string
  /** Answers a gateway that asks whose session a request has. */
  givesTokens?: boolean
  /** Allows connections to WhatsApp itself: no test may link one. */
  realNetworkToo?: boolean
  files?: FileStore
  /** Default: none. */
  erasures?: ErasureJournal
  /** By default no limits apply, because one account stands for many. */
  planRules?: PlanRules
  sendingNeedsConfirmedEmail?: boolean
  clock?: Clock
  budgets?: Partial<Budgets>
  arrange?: (services: Service[]) => Service[]
  /** As production is configured, and by default loopback too. */
  requestsGo?: 'as in production'
}

/** Of what tests share. */
export const wideBudgets = { connectionsPerTenant: 1000, linkingPerTenant: 1000, lookUpsPerLineHour: 100_000 }

/**
 * The whole product in this process on real PostgreSQL and Baileys, with its own WhatsApp network. `webFolder` also serves the web app and
 * simulated phones.
 */
export const startProduct = async (options: ProductOptions = {}): Promise<Product> => {
  const { webFolder, limitScale = 1000, log = silentLog(), secret = randomBytes(32) } = options
  const { sendingNeedsConfirmedEmail = false } = options
  const database = options.database ?? (await testPostgres())
  const whatsapp = new SandboxServer({ fewPreKeys: true })
  await whatsapp.start()
  const budgets = { ...defaultBudgets, ...wideBudgets, ...options.budgets }
  const config = {
    ...readConfig('development', { PROSA_PORT: '0' }),
    sendingNeedsConfirmedEmail,
    ...(options.givesTokens && { identityUrl: 'http://127.0.0.1' }),
    reach: options.requestsGo
      ? readConfig('production', { PROSA_SECRET: 'ab'.repeat(32) }).reach
      : ('loopback too' as const),
    kiwifyTokens: { approved: ['approved'], refunded: ['refunded'] },
    ...(options.realNetworkToo ? { simulatorUrl: whatsapp.url } : { webSocketUrl: whatsapp.url }),
  }
  const services = allServices(config, { simulatorUploads: loopbackUploadAgent() })
  const ports = await openPorts({
    databaseUrl: database.url,
    masterSecret: secret,
    log,
    readSide,
    services,
    eventStoreUrl: options.eventStoreUrl,
    redisUrl: options.redisUrl,
    files: options.files,
    erasures: options.erasures,
    budgets,
    planRules: options.planRules ?? { ...noPlanRules, afterEnd: 'ended' },
    sendingNeedsConfirmedEmail,
    ...(options.clock && { clock: options.clock }),
  })
  const routes: Route[] = []
  const running: Host = await host(options.arrange?.(services) ?? services, ports, {
    ...config,
    limitScale,
    async prepare(app) {
      app.addHook('onRoute', ({ method, url, bodyLimit, config }) => {
        const about = { url, bodyLimit, costs: config?.endpoint?.costs, takesFile: config?.takesFile === true }
        for (const each of [method].flat()) routes.push({ method: each, ...about })
      })
      if (!webFolder) {
        await addSecurityHeaders(app)
        await serveApiDocs(app)
        return
      }
      await app.register(simulatorRoutes({ sandbox: new Simulator(whatsapp) }))
      const landing = options.hasLandingPage ? await productLanding(ports, config, webFolder) : undefined
      await serveWebApp(app, webFolder, landing)
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
      if (!options.database) await database.drop()
    },
  }
}
