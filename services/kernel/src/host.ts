import { setMaxListeners } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { createApp } from './http/app.ts'
import { drain } from './observability/drain.ts'
import type { FigureSource } from './observability/figure.ts'
import { healthRoutes } from './observability/health.ts'
import { measuredStore } from './observability/measured-store.ts'
import { hostMetrics } from './observability/metrics.ts'
import { metricsRoute } from './observability/metrics-route.ts'
import { refusalCounter } from './observability/refusal-counter.ts'
import { watchRequests } from './observability/watch-requests.ts'
import { parkedFigures, reactorFigures, timerFigures } from './observability/worker-figures.ts'
import { workers } from './observability/workers.ts'
import type { Ports, Service } from './ports.ts'
import { operations } from './reactors/operations.ts'
import type { ReactorFigures } from './reactors/reactor-figures.ts'
import { type ReactorHealth, runReactor } from './reactors/run-reactor.ts'
import { fireTimers } from './timers/fire-timers.ts'
import { foldTimers, type TimerHealth } from './timers/fold-timers.ts'
import { type TimerKind, timerWorker } from './timers/timer.ts'

export interface HostOptions {
  hostname: string
  port: number
  trustedOrigins: readonly string[]
  trustProxy?: boolean
  /** Multiplies every rate limit; 1 in production. Tests, which all come from one address, need room. */
  limitScale?: number
  /** Who bears it may read `/metrics` from anywhere; without it, only who asks from this machine. */
  metricsToken?: string
  /** How long a stop waits for requests in flight; 10 s unless said. */
  requestGraceMilliseconds?: number
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

/** Runs one service or all of them in this process, on one port. */
export const host = async (services: readonly Service[], given: Ports, options: HostOptions): Promise<Host> => {
  const { log, pool, clock } = given
  const figureSources: FigureSource[] = []
  const metrics = hostMetrics(figureSources, log)
  const store = measuredStore(given.store, metrics.registry)
  const ports: Ports = { ...given, store }
  const countRefusal = refusalCounter(metrics.registry)
  const app = await createApp({ ...ports, ...options, onRefused: countRefusal })
  const requests = watchRequests(app, metrics.registry)
  await options.prepare?.(app)

  let fail: (name: string) => void = () => undefined
  const broken = new Promise<string>((resolve) => {
    fail = resolve
  })
  const working = workers(log, (name) => fail(name))
  const firing = workers(log, (name) => fail(name))
  const stopping = new AbortController()
  const stoppingTimers = new AbortController()
  // Everything that runs listens, however many they are.
  setMaxListeners(0, stopping.signal, stoppingTimers.signal)
  const reactorHealth: ReactorHealth = new Map()
  const reactors: ReactorFigures = new Map()
  const timerHealth: TimerHealth = new Map()
  const reactorNames: string[] = []
  const parkers: string[] = []
  const allTimers: TimerKind[] = []
  const healthReports: (() => Record<string, unknown>)[] = []

  for (const service of [operations, ...services]) {
    const mounted = await service.mount(ports)
    const { routes, run, health, figures } = mounted
    if (routes) await app.register(routes)
    for (const reactor of mounted.reactors ?? []) {
      reactorNames.push(reactor.name)
      const reacting = runReactor(reactor, ports, stopping.signal, reactorHealth, reactors)
      working.add(`reactor ${reactor.name}`, reacting)
    }
    for (const timers of mounted.timers ?? []) {
      allTimers.push(timers)
      firing.add(`timers ${timers.kind}`, foldTimers(timers, ports, stoppingTimers.signal, timerHealth))
    }
    parkers.push(...(mounted.parkers ?? []))
    if (run) working.add(`service ${service.name}`, run(stopping.signal))
    if (health) healthReports.push(health)
    if (figures) figureSources.push(figures)
    const names = mounted.reactors?.map(({ name }) => name)
    log.info(
      { service: service.name, reactors: names, timers: mounted.timers?.map(({ kind }) => kind) },
      'service mounted',
    )
  }
  if (allTimers.length > 0) firing.add('timers', fireTimers(allTimers, ports, stoppingTimers.signal))

  const kinds = allTimers.map(({ kind }) => kind)
  parkers.push(...reactorNames.map((name) => `reactor ${name}`), ...kinds.map(timerWorker))
  figureSources.push(
    () => store.figures?.() ?? [],
    () => ports.snapshots.figures(),
    reactorFigures({ pool, clock, reactors, lastAppended: store.lastAppended }),
    parkedFigures(pool, parkers),
    timerFigures(pool, clock, kinds),
  )
  metricsRoute(app, metrics, options.metricsToken)
  healthRoutes(app, {
    pool,
    store,
    isDraining: requests.isFinishing,
    ended: () => [...working.ended(), ...firing.ended()],
    trouble() {
      const trouble = Object.assign({}, ...healthReports.map((report) => report()))
      for (const [name, { reason }] of reactorHealth) trouble[`reactor ${name}`] = reason
      for (const [kind, reason] of timerHealth) trouble[`timers ${kind}`] = reason
      return trouble
    },
  })

  await app.listen({ host: options.hostname, port: options.port })
  const address = app.server.address()
  const port = address && typeof address === 'object' ? address.port : options.port
  const { step, unfinished, throwFailure } = drain(log)
  return {
    url: `http://${options.hostname === '127.0.0.1' ? 'localhost' : options.hostname}:${port}`,
    app,
    broken,
    async stop() {
      await step('requests', async () => {
        const isDone = await requests.finish(options.requestGraceMilliseconds ?? requestGrace)
        if (!isDone) log.warn({ requests: requests.inFlight() }, 'requests cut off: they took too long')
      })
      await step('connections', () => app.close())
      stopping.abort()
      await step('services', () => working.finish())
      stoppingTimers.abort()
      await step('timers', () => firing.finish())
      await step('snapshots', () => ports.snapshots.drain())
      await step('event store', () => store.close())
      throwFailure()
    },
    unfinished: () => [
      ...unfinished(),
      ...(requests.isFinishing() ? requests.inFlight() : []),
      ...(stopping.signal.aborted ? working.unfinished() : []),
      ...(stoppingTimers.signal.aborted ? firing.unfinished() : []),
    ],
  }
}
