import { once } from 'node:events'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@prosa/kernel/free-port'
import { ConfigError } from '@prosa/kernel/process/config-error'
import type { Config } from '@prosa/product/process/config'
import { caddyfile, type Upstreams } from '../topology/caddyfile.ts'
import { type ProcessName, processNames } from '../topology/processes.ts'
import { processOf } from '../topology/routes.ts'
import { type Caddy, installedCaddy } from './caddy.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { startLocalRouter } from './local-router.ts'
import { type PlannedProcess, planProcesses } from './plan.ts'
import { hasRedis, redisProgram } from './redis.ts'
import { externalProgram, nodeProgram, type Supervised, supervise } from './supervise.ts'

export interface ClusterSettings {
  /** `deploy/dist/local-service.js` */
  program: string
  config: Pick<
    Config,
    'dataDir' | 'filesDir' | 'erasuresFile' | 'headsFile' | 'port' | 'trustedOrigins' | 'drainSeconds'
  >
  databaseUrl: string
  secret: string
  options: ClusterOptions
  /** Ours; what the processes need is added. */
  environment: NodeJS.ProcessEnv
  print: (line: string) => void
  /** That run elsewhere on this machine; by default in a process of the cluster. */
  phones?: SimulatedPhones
}

export interface SimulatedPhones {
  webSocketUrl: string
  /** Of `/api/simulador`. */
  port: number
}

export interface Cluster {
  url: string
  /** Exit codes by process. */
  stop(): Promise<Record<string, number | string>>
}

/** Read by `npm run cluster status`. */
export const clusterFile = (dataDir: string): string => join(dataDir, 'cluster', 'cluster.json')

/** `--base-port` counts, else any free one. */
const portCounter = (basePort: number | undefined) => {
  let next = basePort
  return async () => (next === undefined ? freePort() : next++)
}

/** `npm run` kills all 20 s after its request to end. */
const maxDrainSeconds = 12

const environmentOf = (
  settings: ClusterSettings,
  planned: readonly PlannedProcess[],
  {
    caddy,
    whatsapp,
    ...ports
  }: { gateway: number; whatsapp: string; redis: number | undefined; caddy: Caddy | undefined },
) => {
  const { config, databaseUrl, secret, environment } = settings
  return {
    ...environment,
    DATABASE_URL: databaseUrl,
    PROSA_SECRET: secret,
    PROSA_DATA_DIR: config.dataDir,
    // Of the data folder, as npm start has it.
    PROSA_ERASURES_FILE: resolve(config.erasuresFile),
    PROSA_LOG_HEADS_FILE: resolve(config.headsFile),
    PROSA_FILES_DIR: config.filesDir ?? join(config.dataDir, 'files'),
    PROSA_HOST: '127.0.0.1',
    PROSA_TRUST_PROXY: 'true',
    PROSA_DRAIN_SECONDS: String(Math.min(config.drainSeconds, maxDrainSeconds)),
    PROSA_PUBLIC_URL: config.trustedOrigins.join(',') || `http://localhost:${ports.gateway}`,
    PROSA_PROCESSES: planned.map(({ name, url }) => `${name}=${url}`).join(','),
    WA_WEBSOCKET_URL: whatsapp,
    // The local router asks nobody for a token.
    ...(caddy && { PROSA_IDENTITY_URL: planned.find(({ name }) => name === 'identity')?.url }),
    ...(ports.redis !== undefined && { PROSA_REDIS_URL: `redis://127.0.0.1:${ports.redis}` }),
  }
}

interface GatewaySettings {
  port: number
  folder: string
  /** Ports by process and by `simulator`. */
  portsOf: (name: string) => number[]
  print: (line: string) => void
  onStart: () => void
}

const startCaddy = async (
  { program, hasStreamCloseDelay }: Caddy,
  { port, folder, portsOf, print, onStart }: GatewaySettings,
): Promise<Supervised> => {
  const addressesOf = (name: string) => portsOf(name).map((each) => `127.0.0.1:${each}`)
  const upstreams: Record<string, Upstreams> = Object.fromEntries(processNames.map((name) => [name, addressesOf(name)]))
  const file = join(folder, 'Caddyfile')
  const simulator = addressesOf('simulator')[0]
  await writeFile(
    file,
    caddyfile({
      site: `http://:${port}`,
      options: ['admin off', 'auto_https off', 'log {', '\tlevel ERROR', '}'],
      siteOptions: ['bind 127.0.0.1'],
      upstreams: upstreams as Record<ProcessName, Upstreams>,
      also: simulator ? { path: '/api/simulador/*', to: simulator } : undefined,
      hasStreamCloseDelay,
    }),
  )
  const env = { PATH: process.env.PATH, HOME: folder }
  const args = ['run', '--adapter', 'caddyfile', '--config', file]
  return supervise(externalProgram('caddy', program, args, env), print, onStart)
}

const isReady = (url: string) =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

const startMs = 180_000
const pollMs = 200
/** By itself, before it was ready once. */
const maxEnds = 3

const untilReady = async (
  awaited: readonly { id: string; url: string }[],
  endsOf: (id: string) => number,
): Promise<void> => {
  const deadline = performance.now() + startMs
  for (const { id, url } of awaited) {
    while (!(await isReady(url))) {
      if (endsOf(id) >= maxEnds) throw new ConfigError(`${id} does not start; see its lines above.`)
      if (performance.now() > deadline) throw new ConfigError(`${id} was not ready within ${startMs / 1000} s.`)
      await delay(pollMs)
    }
  }
}

/** What stands in front: stops with an exit code, as the processes do. */
interface Gateway extends Supervised {
  name: string
}

const startGateway = async (caddy: Caddy | undefined, given: GatewaySettings): Promise<Gateway> => {
  if (caddy) return Object.assign(await startCaddy(caddy, given), { name: `Caddy ${caddy.version}` })
  given.print('No Caddy: the local router stands in for the gateway.')
  const portsOf = (method: string, target: string) =>
    given.portsOf(target.startsWith('/api/simulador/') ? 'simulator' : processOf(method, target))
  const router = await startLocalRouter({ port: given.port, portsOf })
  const stop = () => router.stop().then(() => 0)
  return { id: 'router', name: 'local router', pid: () => undefined, ends: () => 0, stop }
}

const startRedis = async (
  port: number | undefined,
  { folder, print, onStart }: { folder: string; print: (line: string) => void; onStart: () => void },
): Promise<Supervised | undefined> => {
  if (port === undefined) {
    print('No Redis: presence and shared limits stay within each process.')
    return undefined
  }
  const args = ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--loglevel', 'warning', '--dir', folder]
  return supervise(externalProgram('redis', redisProgram, args, { PATH: process.env.PATH }), print, onStart)
}

/** Throws EADDRINUSE: else another Prosa there would answer for ours. */
const requireFree = async (port: number): Promise<void> => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** Starts what `docker-compose.yml` starts, on loopback, with simulated phones. */
export const runCluster = async (settings: ClusterSettings): Promise<Cluster> => {
  const { program, config, options, print, databaseUrl, phones } = settings
  const folder = join(config.dataDir, 'cluster')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const nextPort = portCounter(options.basePort)
  const planned = (await planProcesses(options.counts, nextPort)).filter(({ name }) => !phones || name !== 'simulator')
  const portsOf = (name: string) =>
    phones && name === 'simulator' ? [phones.port] : planned.flatMap((each) => (each.name === name ? each.port : []))
  const port = options.port ?? config.port
  await requireFree(port)
  const caddy = options.usesCaddy ? await installedCaddy() : undefined
  const redisPort = options.usesRedis && (await hasRedis()) ? await nextPort() : undefined
  const whatsapp = phones?.webSocketUrl ?? `ws://127.0.0.1:${await nextPort()}/ws/chat`
  const env = environmentOf(settings, planned, { gateway: port, whatsapp, redis: redisPort, caddy })
  const url = `http://localhost:${port}`
  const running = new Map<string, Supervised>()
  let gateway: Gateway | undefined
  let redis: Supervised | undefined
  let saved = Promise.resolve()

  /** In order: processes are started again at any moment. */
  const save = () => {
    saved = saved.then(async () => {
      if (!gateway) return
      const processes = planned.map((each) => ({ ...each, pid: running.get(each.id)?.pid() ?? null }))
      const beside = [gateway, ...(redis ? [redis] : [])].map((each) => ({ id: each.id, pid: each.pid() ?? null }))
      const state = { url, databaseUrl, gateway: gateway.name, processes, beside }
      const file = clusterFile(config.dataDir)
      // Who reads it meanwhile gets a whole one.
      await writeFile(`${file}.draft`, JSON.stringify(state), { mode: 0o600 })
      await rename(`${file}.draft`, file)
    })
    return saved
  }
  const startAndWait = async (awaited: readonly PlannedProcess[]) => {
    for (const { id, name, port: own } of awaited)
      running.set(id, supervise(nodeProgram(id, program, [name], { ...env, PROSA_PORT: `${own}` }), print, save))
    await untilReady(awaited, (id) => running.get(id)?.ends() ?? 0)
  }
  redis = await startRedis(redisPort, { folder, print, onStart: save })

  const stop = async () => {
    const front = gateway
    gateway = undefined
    await saved
    const ended = [...running].map(async ([id, each]) => [id, await each.stop()] as const)
    const codes: Record<string, number | string> = Object.fromEntries(await Promise.all(ended))
    for (const each of [front, redis]) if (each) codes[each.id] = await each.stop()
    await rm(clusterFile(config.dataDir), { force: true })
    return codes
  }

  try {
    // The first migrates the database; the others would only wait for it.
    await startAndWait(planned.slice(0, 1))
    await startAndWait(planned.slice(1))
    const front = await startGateway(caddy, { port, folder, portsOf, print, onStart: save })
    gateway = front
    await untilReady([{ id: front.id, url: `http://127.0.0.1:${port}` }], front.ends)
    await save()
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
