import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, host } from '../../host.ts'
import type { Service } from '../../ports.ts'
import { nameContact, namingReactor } from '../../testing/running-reactor.ts'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { until } from '../../testing/until.ts'

const token = 'a-token-for-prometheus'
let ports: TestPorts
let running: Host
let release: () => void

const slow: Service = {
  name: 'slow',
  async mount({ store }) {
    const paused = new Promise<void>((resolve) => {
      release = resolve
    })
    return {
      routes: async (app) => {
        app.get<{ Params: { id: string } }>('/api/things/:id', async ({ params }) => params)
        app.post('/api/contacts', async () => ({ id: await nameContact(store, 'ana', 'Ana') }))
      },
      reactors: [namingReactor('wait-on-contact-named', () => paused)],
      metrics: () => [
        { name: 'prosa_things_open', help: 'Things.', kind: 'gauge', value: 7, labels: { kind: 'round' } },
      ],
    }
  },
}

beforeAll(async () => {
  ports = await testPorts()
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [], metricsToken: token }
  running = await host([slow], ports, options)
})
afterAll(async () => {
  release()
  await running.stop()
  await ports.close()
})

const scrape = async () => (await running.app.inject('/metrics')).body
const value = (text: string, series: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('metrics', () => {
  it('are shown to who asks on this machine or bears the token, and do not exist for others', async () => {
    const status = async (options: { remoteAddress?: string; headers?: Record<string, string> }) =>
      (await running.app.inject({ url: '/metrics', ...options })).statusCode
    const remoteAddress = '203.0.113.9'
    expect(await status({})).toBe(200)
    expect(await status({ remoteAddress: '::ffff:127.0.0.1' })).toBe(200)
    expect(await status({ remoteAddress, headers: { authorization: `Bearer ${token}` } })).toBe(200)
    expect(await status({ remoteAddress })).toBe(404)
    expect(await status({ remoteAddress, headers: { authorization: 'Bearer another' } })).toBe(404)
    expect(await status({ remoteAddress, headers: { authorization: `Bearer ${token}x` } })).toBe(404)
    // A proxied request, and DNS rebinding.
    expect(await status({ headers: { 'x-forwarded-for': remoteAddress } })).toBe(404)
    expect(await status({ headers: { host: 'attacker.example:3000' } })).toBe(404)
  })

  it('count requests by route template, never by address', async () => {
    const series = (route: string, status: string) =>
      `prosa_http_request_duration_seconds_count{route="${route}",method="GET",status="${status}"}`
    const refused = value(await scrape(), series('unknown', '4xx')) ?? 0
    await running.app.inject('/api/things/5511988776655?email=ana@example.com')
    await running.app.inject('/api/things/5511900000001')
    await running.app.inject('/api/nothing/5511988776655')
    const text = await scrape()
    expect(value(text, series('/api/things/:id', '2xx'))).toBe(2)
    expect(value(text, series('unknown', '4xx'))).toBe(refused + 1)
    expect(text).not.toMatch(/5511988776655|5511900000001|ana@/)
    // Values may contain any digits.
    const names = text.replaceAll(/ [^ ]+$/gm, '')
    expect(names).not.toContain('5511')
  })

  it('show appends, what a reactor has in hand, how far it is behind, and what services report', async () => {
    await until(
      async () => value(await scrape(), 'prosa_reactor_in_flight_events{reactor="wait-on-contact-named"}') === 0,
    )
    await running.app.inject({ method: 'POST', url: '/api/contacts' })
    await running.app.inject({ method: 'POST', url: '/api/contacts' })
    await until(
      async () => value(await scrape(), 'prosa_reactor_in_flight_events{reactor="wait-on-contact-named"}') === 2,
    )
    const text = await scrape()
    expect(value(text, 'prosa_reactor_lag_positions{reactor="wait-on-contact-named"}')).toBe(2)
    expect(value(text, 'prosa_event_store_append_duration_seconds_count{outcome="stored"}')).toBe(2)
    expect(value(text, 'prosa_event_store_append_events_sum')).toBe(2)
    expect(value(text, 'prosa_parked_keys{worker="reactor wait-on-contact-named"}')).toBe(0)
    expect(value(text, 'prosa_things_open{kind="round"}')).toBe(7)
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m)
    release()
    await until(async () => value(await scrape(), 'prosa_reactor_lag_positions{reactor="wait-on-contact-named"}') === 0)
  })

  it('come without what needs the database while it is away', async () => {
    const { pool } = ports
    await pool.query('alter table parked_work rename to parked_work_away')
    const text = await scrape()
    await pool.query('alter table parked_work_away rename to parked_work')
    expect(value(text, 'prosa_metrics_sources_failed_total')).toBe(1)
    expect(text).not.toContain('prosa_parked_keys')
    expect(value(text, 'prosa_things_open{kind="round"}')).toBe(7)
    expect(await scrape()).toContain('prosa_parked_keys')
  })
})
