import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { silentLog } from '@prosa/kernel/observability/log'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { type Budgets, defaultBudgets } from '@prosa/product/budgets'
import { noPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import { openMigratedPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { Simulator } from '@prosa/sandbox/simulator/simulator'
import { simulatorRoutes } from '@prosa/sandbox/simulator/simulator-routes'
import fastify from 'fastify'
import { readClusterOptions } from '../src/cluster/cluster-options.ts'
import { type ClusterSettings, clusterFile, runCluster } from '../src/cluster/run-cluster.ts'
import { type ClusteredProcess, type Product, type ProductOptions, wideBudgets } from './product.ts'
import { Visitor } from './visitor.ts'

/** Of each process, as JSON. */
export interface ClusterRules {
  limitScale: number
  budgets: Budgets
  planRules: PlanRules
  realNetworkToo: boolean
}

export interface ClusteredProduct extends Product {
  processes(): ClusteredProcess[]
  /** Caddy and Redis, where they are installed. */
  beside(): { id: string; pid: number | null }[]
  /** Lines of the processes and of what supervises them. */
  printed: readonly string[]
}

interface ClusteredOptions
  extends Pick<
    ProductOptions,
    'limitScale' | 'secret' | 'planRules' | 'sendingNeedsConfirmedEmail' | 'budgets' | 'realNetworkToo'
  > {
  /** Left as it is at the end; by default one of its own. */
  database?: { url: string }
}

const simulatorOf = async (whatsapp: SandboxServer, productUrl: string) => {
  const app = fastify()
  await app.register(simulatorRoutes({ sandbox: new Simulator(whatsapp), productUrl }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(url).port), close: () => app.close() }
}

export const clusterConfig = (folder: string, port: number): ClusterSettings['config'] => ({
  dataDir: folder,
  filesDir: undefined,
  erasuresFile: join(folder, 'erasures.jsonl'),
  headsFile: join(folder, 'log-heads.jsonl'),
  port,
  trustedOrigins: [],
  drainSeconds: 25,
})

/** What `startProduct` runs in one process, in as many as `npm run cluster` starts; phones and ports of its own are in this one. */
export const startClusteredProduct = async (options: ClusteredOptions = {}): Promise<ClusteredProduct> => {
  const { limitScale = 1000, secret = randomBytes(32), sendingNeedsConfirmedEmail = false } = options
  const { realNetworkToo = false } = options
  const budgets = { ...defaultBudgets, ...wideBudgets, ...options.budgets }
  const planRules = options.planRules ?? { ...noPlanRules, afterEnd: 'ended' as const }
  const rules: ClusterRules = { limitScale, budgets, planRules, realNetworkToo }
  const folder = await mkdtemp(join(tmpdir(), 'prosa-clustered-'))
  const ownDatabase = options.database ? undefined : await testPostgres()
  const databaseUrl = (options.database ?? ownDatabase)?.url ?? ''
  const whatsapp = new SandboxServer({ fewPreKeys: true })
  await whatsapp.start()
  const port = await freePort()
  const simulator = await simulatorOf(whatsapp, `http://localhost:${port}`)
  const printed: string[] = []
  const cluster = await runCluster({
    program: await builtProgram(join(import.meta.dirname, 'clustered-process.ts')),
    config: clusterConfig(folder, port),
    databaseUrl,
    secret: Buffer.from(secret).toString('hex'),
    options: readClusterOptions([]),
    environment: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'fatal',
      PROSA_KIWIFY_APPROVED_TOKENS: 'approved',
      PROSA_KIWIFY_REFUNDED_TOKENS: 'refunded',
      PROSA_SENDING_NEEDS_CONFIRMED_EMAIL: String(sendingNeedsConfirmedEmail),
      PROSA_TEST_RULES: JSON.stringify(rules),
    },
    phones: { webSocketUrl: whatsapp.url, port: simulator.port },
    print: (line) => printed.push(line),
  })
  const ports = await openMigratedPorts({
    databaseUrl,
    masterSecret: secret,
    log: silentLog(),
    readSide,
    budgets,
    planRules,
    sendingNeedsConfirmedEmail,
  })
  const state = () => JSON.parse(readFileSync(clusterFile(folder), 'utf8'))
  return {
    url: cluster.url,
    ports,
    whatsapp,
    routes: [],
    printed,
    processes: () => state().processes,
    beside: () => state().beside,
    visitor: () => new Visitor(cluster.url),
    async stop() {
      await ports.close()
      await cluster.stop()
      await simulator.close()
      await whatsapp.stop()
      await ownDatabase?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
