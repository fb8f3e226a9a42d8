import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { parkedCounts } from '../../consumers/engine/parked-queries.ts'
import { askDatabase } from '../../consumers/queries.ts'
import type { EventStore } from '../../event-store/port.ts'
import { timeoutMs } from '../../postgres/with-timeout.ts'

export interface HealthDeps {
  pool: Pool
  store: EventStore
  isDraining: () => boolean
  /** Names of parts that ended by themselves. */
  ended: () => readonly string[]
  /** Faults without personal data; they leave the process ready. */
  trouble: () => Record<string, unknown>
  /** Read models that are built for the first time. */
  waitsFor: () => readonly string[]
}

const probeStream = 'health-probe'

const readLog = async (store: EventStore): Promise<void> => {
  for await (const _ of store.read(probeStream)) return
}

const withParked = (reported: unknown, keys: number): unknown => {
  const parked = `${keys} keys parked`
  return typeof reported === 'object' && reported !== null ? { ...reported, parked } : parked
}

/** Concurrent calls share one question: they must not pile up on a half-open database. */
const inTime = (question: () => Promise<unknown>): (() => Promise<boolean>) => {
  let asked: Promise<boolean> | undefined
  return async () => {
    asked ??= question()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined
      })
    const over = new AbortController()
    const late = delay(timeoutMs, false, { signal: over.signal }).catch(() => false)
    return Promise.race([asked, late]).finally(() => over.abort())
  }
}

/**
 * Stalled projections and parked keys leave `/health/ready` at 200: another instance would be no better. So do rebuilds beside rows that
 * are shown; a process whose read models were never built waits for them.
 */
export const healthRoutes = (
  app: FastifyInstance,
  { pool, store, isDraining, ended, trouble, waitsFor }: HealthDeps,
): void => {
  const parked = new Map<string, number>()
  const isDatabaseThere = inTime(async () => {
    await askDatabase(pool)
    const counts = await parkedCounts(pool)
    parked.clear()
    for (const [worker, keys] of counts) parked.set(worker, keys)
  })
  const isLogThere = inTime(() => readLog(store))

  app.get('/health/live', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return { live: true }
  })
  app.get('/health/ready', async (_, reply) => {
    const [database, log] = await Promise.all([isDatabaseThere(), isLogThere()])
    const draining = isDraining()
    const stopped = ended()
    const troubles = trouble()
    for (const name of stopped) troubles[name] = 'ended'
    for (const [worker, keys] of parked) troubles[worker] = withParked(troubles[worker], keys)
    const waiting = waitsFor()
    const ready = database && log && !draining && stopped.length === 0 && waiting.length === 0
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, database, log, draining, trouble: troubles, ...(waiting.length > 0 && { waitsFor: waiting }) })
  })
}
