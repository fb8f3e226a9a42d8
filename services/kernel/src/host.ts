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
import { healthRoutes } from './http/operation/health.ts'
import { metricsRoute } from './http/operation/metrics-route.ts'
import { watchRequests } from './http/operation/watch-requests.ts'
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
  /** Multiplies every rate limit; 1 in production. Tests share one address. */
  limitScale?: number
  /** Permits `/metrics` from other machines, as a bearer token. */
  metricsToken?: string
  /** 10 s by default. */
  requestGraceMs?: number
  prepare?: (app: FastifyInstance) => Promise<void>
}

export interface Host {
  url: string
  app: FastifyInstance
  /** Resolves with the name of a part that ended by itself. */
  broken: Promise<string>
  /** Drains in order: new requests, replies in flight, sockets, services and reactors, timers, log. */
  stop(): Promise<void>
  unfinished(): string[]
}

const requestGrace = 10_000

interface Part extends Mounted {
  name: string
}

/** Mounts all before anything runs: a service may need what another one makes. */
const mountAll = async <P extends Ports>(
  services: readonly Service<P>[],
  ports: P,
  app: FastifyInstance,
): Promise<Part[]> => {
  const parts: Part[] = []
  for (const service of services) {
    const { name, partOf = name } = service
    const mounted = await service.mount(ports)
    const { routes } = mounted
    if (routes)
      await app.register(async (own) => {
        own.decorate('answeringService', partOf)
        await own.register(routes)
      })
    parts.push({ name, ...mounted })
    const reactors = mounted.reactors?.map((reactor) => reactor.name)
    ports.log.info({ service: name, reactors, timers: mounted.timers?.map(({ kind }) => kind) }, 'service mounted')
  }
  return parts
}

const runAll = (parts: readonly Part[], ports: Ports) => {
  let fail: (name: string) => void = () => undefined
  const broken = new Promise<string>((resolve) => {
    fail = resolve
  })
  const working = workers(ports.log, (name) => fail(name))
  const firing = workers(ports.log, (name) => fail(name))
  const stopping = new AbortController()
  const stoppingTimers = new AbortController()
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
      if (ports.redis?.isAway()) trouble.redis = 'away: no presence is shown, and each process counts limits by itself'
      for (const [name, { failing }] of reactors) if (failing) trouble[`reactor ${name}`] = failing.reason
      for (const [kind, status] of timerStatuses) if (status.trouble) trouble[`timers ${kind}`] = status.trouble.reason
      return trouble
    },
    waitsFor: () => parts.flatMap(({ waitsFor }) => waitsFor?.() ?? []),
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

export const host = async <P extends Ports>(
  services: readonly Service<P>[],
  given: P,
  options: HostOptions,
): Promise<Host> => {
  const { log, pool, clock } = given
  const metricSources: MetricSource[] = []
  const metrics = hostMetrics(metricSources, log)
  const store = measuredStore(given.store, metrics.registry)
  const ports: P = { ...given, store }
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
    waitsFor: running.waitsFor,
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
        // Computations store nothing: clients retry with the next process.
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
