import { once } from 'node:events'
import fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { type Host, host } from '../../host.ts'
import { silentLog } from '../../observability/log.ts'
import type { Service } from '../../ports.ts'
import { openPool } from '../../postgres/pool.ts'
import { tcpProxy } from '../../testing/tcp-proxy.ts'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { until } from '../../testing/until.ts'
import { healthRoutes } from './health.ts'

let direct: TestPorts
let ports: TestPorts
let running: Host
let endRun: () => void

const service: Service = {
  name: 'example',
  mount: async () => ({
    run: (signal) =>
      new Promise((resolve) => {
        endRun = resolve
        void once(signal, 'abort').then(() => resolve())
      }),
    health: () => ({ 'projection contacts': { state: 'stopped', reason: 'UnfoldableEvent' } }),
  }),
}

beforeEach(async () => {
  direct = await testPorts()
  const store = await postgresEventStore({ url: direct.databaseUrl })
  ports = { ...direct, store, log: silentLog() }
  running = await host([service], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
})
afterEach(async () => {
  await running.stop()
  await direct.close()
})

const ask = async (path: string) => {
  const reply = await running.app.inject(path)
  return { status: reply.statusCode, body: reply.json() }
}

describe('health', () => {
  it('is ready while all is there, and names what stands still all the same', async () => {
    expect(await ask('/health/ready')).toEqual({
      status: 200,
      body: {
        ready: true,
        database: true,
        log: true,
        draining: false,
        trouble: { 'projection contacts': { state: 'stopped', reason: 'UnfoldableEvent' } },
      },
    })
  })

  it('answers before long though the database is half open, and is ready again once it can be', async () => {
    const url = new URL(direct.databaseUrl)
    const proxy = await tcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const pool = openPool(url.href, { max: 1 })
    const app = fastify()
    const { store } = ports
    healthRoutes(app, {
      pool,
      store,
      isDraining: () => false,
      ended: () => [],
      trouble: () => ({}),
      waitsFor: () => [],
    })
    const status = async (path: string) => (await app.inject(path)).statusCode
    expect(await status('/health/ready')).toBe(200)
    proxy.freeze()
    const asked = Promise.all([app.inject('/health/ready'), app.inject('/health/ready')])
    expect(await status('/health/live')).toBe(200)
    for (const reply of await asked) {
      expect(reply.statusCode).toBe(503)
      expect(reply.json()).toMatchObject({ ready: false, database: false, log: true })
    }
    await until(async () => (await status('/health/ready')) === 200, 30_000)
    await app.close()
    await pool.end()
    await proxy.close()
  }, 60_000)

  it('is not ready without the log', async () => {
    await ports.store.close()
    expect(await ask('/health/ready')).toMatchObject({
      status: 503,
      body: { ready: false, database: true, log: false },
    })
  })

  it('is not ready when a service has ended by itself, and the host reports it', async () => {
    endRun()
    expect(await running.broken).toBe('service example')
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { trouble: { 'service example': 'ended' } } })
    expect((await ask('/health/live')).status).toBe(200)
  })
})
