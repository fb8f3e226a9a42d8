import { setMaxListeners } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { parkedMetrics, reactorMetrics, timerMetrics } from './consumers/consumer-metrics.ts'
import type { ConsumerStatuses } from './consumers/engine/consumer-status.ts'
import { runReactor } from './consumers/reactors/run-reactor.ts'
import { fireTimers } from './consumers/timers/fire-timers.ts'
import { foldTimers } from './consumers/timers/fold-timers.ts'
import { timerWorker } from './consumers/timers/timer.ts'
import { measuredStore } from './event-store/measured-store.ts'
import { createApp } from './http/app.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoute } from './http/metrics-route.ts'
import { watchRequests } from './http/watch-requests.ts'
import type { MetricSource } from './observability/metric.ts'
import { hostMetrics } from './observability/metrics.ts'
import { refusalCounter } from './observability/refusal-counter.ts'
import { watchEventLoop } from './observability/watch-event-loop.ts'
import { workInProgress } from './observability/work-in-progress.ts'
import { drain } from './operations/drain.ts'
import { operations } from './operations/operations.ts'
import { workers } from './operations/workers.ts'
import type { Mounted, Ports, Service } from './ports.ts'

export interface HostOptions {
  hostname: string
  port: number
  trustedOrigins: readonly string[]
  trustProxy?: boolean
  /** Multiplies every rate limit; 1 in production. Tests, which all come from one address, need room. */
  limitScale?: number
  /** Who bears it may read `/metrics` from anywhere; without it, only who asks from this machine. */
  metricsToken?: string
  /** How long a stop waits for requests in flight; 10 s by default. */
  requestGraceMs?: number
  /** Adds what is not a service: security headers, the web app's files. */
  prepare?: (app: FastifyInstance) => Promise<void>
}

export interface Host {
  /** e.g. `http://localhost:3000` */
  url: string
  app: FastifyInstance
  /** Resolves with a name once something that should run as long as the process has ended by itself. */
  broken: Promise<string>
  /**
   * Drains in order: no new requests, those in flight get their answers, browsers' sockets are cut, services and reactors
   * finish what they have in hand, then timers, then the log. Resolves when all of that has ended.
   */
  stop(): Promise<void>
  /** What a stop still waits for, by name. */
  unfinished(): string[]
}

const requestGrace = 10_000

/** A service that is mounted, under its name. */
interface Part extends Mounted {
  name: string
}

/** Mounts all before anything runs: what runs may need what another one makes when it is mounted, whatever their order. */
const mountAll = async (services: readonly Service[], ports: Ports, app: FastifyInstance): Promise<Part[]> => {
  const parts: Part[] = []
  for (const service of services) {
    const { name } = service
    const mounted = await service.mount(ports)
    if (mounted.routes) await app.register(mounted.routes)
    parts.push({ name, ...mounted })
    const reactors = mounted.reactors?.map((reactor) => reactor.name)
    ports.log.info({ service: name, reactors, timers: mounted.timers?.map(({ kind }) => kind) }, 'service mounted')
  }
  return parts
}

/** Starts what the services run: their own work, reactors and timers. */
const runAll = (parts: readonly Part[], ports: Ports) => {
  let fail: (name: string) => void = () => undefined
  const broken = new Promise<string>((resolve) => {
    fail = resolve
  })
  const working = workers(ports.log, (name) => fail(name))
  const firing = workers(ports.log, (name) => fail(name))
  const stopping = new AbortController()
  const stoppingTimers = new AbortController()
  // Everything that runs listens, however many they are.
  setMaxListeners(0, stopping.signal, stoppingTimers.signal)
  const reactors: ConsumerStatuses = new Map()
  const timerStatuses: ConsumerStatuses = new Map()

  for (const { name, run, reactors: reacting = [] } of parts) {
    for (const reactor of reacting)
      working.add(`reactor ${reactor.name}`, runReactor(reactor, ports, stopping.signal, reactors))
    if (run) working.add(`service ${name}`, run(stopping.signal))
  }
  const timers = parts.flatMap((part) => part.timers ?? [])
  for (const each of timers)
    firing.add(`timers ${each.kind}`, foldTimers(each, ports, stoppingTimers.signal, timerStatuses))
  if (timers.length > 0) firing.add('timers', fireTimers(timers, ports, stoppingTimers.signal))

  const timerKinds = timers.map(({ kind }) => kind)
  const reactorNames = parts.flatMap((part) => part.reactors ?? []).map(({ name }) => name)
  return {
    broken,
    reactors,
    timerKinds,
    parkers: [
      ...parts.flatMap(({ parkers = [] }) => parkers),
      ...reactorNames.map((name) => `reactor ${name}`),
      ...timerKinds.map(timerWorker),
    ],
    metricSources: parts.flatMap(({ metrics = [] }) => metrics),
    ended: () => [...working.ended(), ...firing.ended()],
    trouble() {
      const trouble = Object.assign({}, ...parts.map(({ health }) => health?.()))
      for (const [name, { failing }] of reactors) if (failing) trouble[`reactor ${name}`] = failing.reason
      for (const [kind, status] of timerStatuses) if (status.trouble) trouble[`timers ${kind}`] = status.trouble.reason
      return trouble
    },
    async stopServices() {
      stopping.abort()
      await working.finish()
    },
    async stopTimers() {
      stoppingTimers.abort()
      await firing.finish()
    },
    unfinished: () => [
      ...(stopping.signal.aborted ? working.unfinished() : []),
      ...(stoppingTimers.signal.aborted ? firing.unfinished() : []),
    ],
  }
}

/** Runs one service or all of them in this process, on one port. */
export const host = async (services: readonly Service[], given: Ports, options: HostOptions): Promise<Host> => {
  const { log, pool, clock } = given
  const metricSources: MetricSource[] = []
  const metrics = hostMetrics(metricSources, log)
  const store = measuredStore(given.store, metrics.registry)
  const ports: Ports = { ...given, store }
  const countRefusal = refusalCounter(metrics.registry)
  const app = await createApp({ ...ports, ...options, onRefused: countRefusal })
  const requests = watchRequests(app, metrics.registry)
  const eventLoop = watchEventLoop({ log, registry: metrics.registry, work: workInProgress })
  await options.prepare?.(app)

  const mounted = await mountAll([operations, ...services], ports, app)
  const running = runAll(mounted, ports)
  metricSources.push(
    ...running.metricSources,
    () => store.metrics?.() ?? [],
    () => ports.snapshots.metrics(),
    reactorMetrics({ pool, clock, reactors: running.reactors, lastAppended: store.lastAppended }),
    parkedMetrics(pool, running.parkers),
    () => app.computations.metrics(),
    timerMetrics(pool, clock, running.timerKinds),
  )
  metricsRoute(app, metrics, options.metricsToken)
  healthRoutes(app, {
    pool,
    store,
    isDraining: requests.isFinishing,
    ended: running.ended,
    trouble: running.trouble,
  })

  await app.listen({ host: options.hostname, port: options.port })
  const address = app.server.address()
  const port = address && typeof address === 'object' ? address.port : options.port
  const { step, unfinished, throwFailure } = drain(log)
  return {
    url: `http://${options.hostname === '127.0.0.1' ? 'localhost' : options.hostname}:${port}`,
    app,
    broken: running.broken,
    async stop() {
      await step('requests', async () => {
        // Nothing of it is stored: whoever asked asks the next process.
        app.computations.stop()
        const isDone = await requests.finish(options.requestGraceMs ?? requestGrace)
        if (!isDone) log.warn({ requests: requests.inFlight() }, 'requests cut off: they took too long')
      })
      await step('connections', () => app.close())
      await step('services', running.stopServices)
      await step('timers', running.stopTimers)
      await step('snapshots', () => ports.snapshots.drain())
      await step('event store', () => store.close())
      eventLoop.stop()
      throwFailure()
    },
    unfinished: () => [
      ...unfinished(),
      ...(requests.isFinishing() ? requests.inFlight() : []),
      ...running.unfinished(),
    ],
  }
}
