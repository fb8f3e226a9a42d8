import { createHmac, randomUUID } from 'node:crypto'
import { eventCodec, type StoredOf } from '@prosa/kernel/event-store/codec'
import { beginning, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { capturedLog } from '@prosa/kernel/testing/captured-log'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { billingMigrations } from '../migrations/billing-migrations.ts'

const admin = randomUUID()
const token = 'the token of Prosa'
const wrong = 'the token that Kiwify has'
const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [], trustProxy: true, limitScale: 1 }

let now: string
let ports: TestPorts
let codec: ReturnType<typeof eventCodec>
let running: Host[]
const log = capturedLog()

const start = async (approved: string[] = [token]): Promise<Host> => {
  const service = billing({
    kiwifyTokens: { approved, refunded: [token] },
    deliveryRetentionDays: 180,
    findAccountId: async () => undefined,
    findLastAccepted: async () => new Map([['approved', '2026-11-24T18:03:11.000Z']]),
  })
  const shared = { ...ports, codec, log: log.log, store: { ...ports.store, close: async () => undefined } }
  const started = await host([service], shared, options)
  running.push(started)
  return started
}

beforeEach(async () => {
  now = '2026-11-25T12:40:00.000Z'
  running = []
  ports = await testPorts({
    clock: { now: () => now },
    migrations: [billingMigrations],
    roles: { of: async (userId) => (userId === admin ? ['admin'] : []) },
  })
  codec = eventCodec({ personal: personalEncryption(ports.subjectKeys, ports.box) })
})
afterEach(async () => {
  for (const each of running) await each.stop()
  await ports.close()
})

interface Sent {
  by?: string
  from?: string
  body?: string
  query?: string
  to?: 'approved' | 'refunded'
}
const send = async (
  prosa: Host,
  { by = wrong, from = '203.0.113.7', body = '{}', query, to = 'approved' }: Sent = {},
) => {
  const signature = createHmac('sha1', by).update(body).digest('hex')
  const answer = await prosa.app.inject({
    method: 'POST',
    url: `/kiwify/payment/${to}${query ?? `?signature=${signature}`}`,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    payload: body,
  })
  return answer.statusCode
}
const shown = async (prosa: Host) => {
  const { token: session } = await ports.browserSessions.issue(admin)
  const headers = { cookie: `${sessionCookie}=${session}` }
  return (await prosa.app.inject({ url: '/api/admin/refused-webhooks', headers })).json()
}
const reports = async () =>
  (await codec.decode(await stored())).filter(
    (event): event is StoredOf<'DeliveriesRefused'> => event.type === 'DeliveriesRefused',
  )
const stored = async () => {
  const events: RecordedEvent[] = []
  for await (const page of ports.store.read('refusedDeliveries-kiwify')) events.push(...page)
  return events
}
const typesIn = async (category: 'webhookDelivery') => {
  const types: string[] = []
  for await (const { events } of ports.store.readAll(beginning, { categories: [category] }))
    types.push(...events.map(({ type }) => type))
  return types
}
const times = async (count: number, work: (index: number) => Promise<number>) => {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push(await work(index))
  return statuses
}

describe('a delivery whose signature is right', () => {
  it('is accepted after a thousand wrong ones from its own address', async () => {
    const prosa = await start()
    const statuses = await times(1000, (index) => send(prosa, { by: `guess ${index}` }))
    expect(statuses.filter((status) => status === 401)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(940)
    expect(await send(prosa, { by: token })).toBe(200)
    expect(await times(100, (index) => send(prosa, { by: token, body: `{"n":${index}}` }))).not.toContain(429)
    expect(await send(prosa, { by: 'still guessing' })).toBe(429)
    expect((await typesIn('webhookDelivery')).filter((type) => type === 'DeliveryReceived')).toHaveLength(101)
  })
})

describe('refused deliveries', () => {
  it('are shown with address, time, count and reason, and nothing of them is kept', async () => {
    const prosa = await start()
    await send(prosa, { body: '{"Customer":{"email":"ana@example.org"}}' })
    now = '2026-11-25T12:41:00.000Z'
    await send(prosa)
    await send(prosa, { to: 'refunded', from: '2001:db8:1:2:3::4' })
    await send(prosa, { query: '', from: '198.51.100.9' })
    await send(prosa, { query: '?signature=ABC', from: '198.51.100.9' })
    await send(prosa, { body: 'x'.repeat(300 * 1024), from: '198.51.100.3' })
    const lastAt = now
    expect(await shown(prosa)).toEqual({
      count: 4,
      unsigned: 2,
      sources: [
        { endpoint: 'approved', reason: 'signature', address: '203.0.113.7', count: 2, lastAt },
        { endpoint: 'approved', reason: 'too_large', address: '198.51.100.3', count: 1, lastAt },
        { endpoint: 'approved', reason: 'unsigned', address: '198.51.100.9', count: 2, lastAt },
        {
          endpoint: 'refunded',
          reason: 'signature',
          address: expect.stringMatching(/^2001:db8:1:2/),
          count: 1,
          lastAt,
        },
      ],
    })
    const everything = JSON.stringify([
      (await stored()).map(({ data }) => data),
      (await ports.pool.query('select * from refused_delivery')).rows,
    ])
    for (const secret of ['ana@example.org', wrong]) expect(everything).not.toContain(secret)
    now = '2026-11-26T14:00:00.000Z'
    expect(await shown(prosa)).toEqual({ count: 0, unsigned: 0, sources: [] })
  })

  it('beyond the limit of an address are counted too', async () => {
    const prosa = await start()
    await times(200, () => send(prosa))
    await send(prosa, { from: '198.51.100.1' })
    expect(await shown(prosa)).toMatchObject({ count: 201 })
  })

  it('for which there is no token are refused sales as well', async () => {
    const prosa = await start([])
    expect(await send(prosa)).toBe(503)
    expect(await shown(prosa)).toMatchObject({ count: 1, sources: [{ reason: 'no_token' }] })
    expect(await reports()).toMatchObject([{ data: { causes: [{ reason: 'no_token', count: 1 }] } }])
  })

  it('are reported once an hour over all processes, with what an administrator needs', async () => {
    const processes = [await start(), await start(), await start()]
    await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        send(processes[index % 3] as Host, { from: `203.0.113.${index % 15}` }),
      ),
    )
    now = '2026-11-25T13:39:59.000Z'
    await Promise.all(processes.map((each) => send(each)))
    const [report, ...others] = await reports()
    expect(others).toEqual([])
    expect(report?.data).toMatchObject({
      hour: '2026-11-25T12',
      lastAcceptedAt: '2026-11-24T18:03:11.000Z',
      nextReportAt: '2026-11-25T13:40:00.000Z',
      expiresAt: '2026-12-25T12:40:00.000Z',
    })
    expect(report?.metadata).toMatchObject({ tenant: null, actor: { kind: 'system' } })
    now = '2026-11-25T13:40:00.000Z'
    await Promise.all(processes.map((each) => send(each)))
    const [, second, ...more] = await reports()
    expect(more).toEqual([])
    expect((report?.data.count ?? 0) + (second?.data.count ?? 0)).toBeGreaterThanOrEqual(154)
    expect(second?.data.addresses).toHaveLength(10)
  })

  it('are reported at the end of the hour where no other comes, and then that they ceased', async () => {
    const first = await start()
    await send(first)
    await times(4, () => send(first))
    await first.stop()
    running = []
    now = '2026-11-25T13:40:00.000Z'
    await start()
    await until(async () => (await reports()).length === 2)
    expect((await reports()).map(({ data }) => data.count)).toEqual([1, 4])
    for (const each of running) await each.stop()
    running = []
    now = '2026-11-25T14:40:00.000Z'
    await start()
    await until(async () => (await stored()).at(-1)?.type === 'RefusalsCeased')
  })

  it('without a signature are no reason to report anything', async () => {
    const prosa = await start()
    await times(5, () => send(prosa, { query: '?signature=' }))
    expect(await stored()).toEqual([])
  })

  it('name addresses that nobody can read after 30 days, in the log and beside it', async () => {
    const first = await start()
    await send(first)
    expect(JSON.stringify((await stored()).map(({ data, metadata }) => [data, metadata]))).not.toContain('203.0.113.7')
    expect((await reports())[0]?.data.addresses).toEqual([{ address: '203.0.113.7', count: 1 }])
    await first.stop()
    running = []
    now = '2026-12-25T13:40:00.000Z'
    await start()
    await until(async () => (await stored()).some(({ type }) => type === 'RefusalAddressesExpired'))
    await until(async () => (await reports())[0]?.data.addresses.length === 0)
    expect((await reports())[0]?.data.count).toBe(1)
    await until(async () => (await ports.pool.query('select from refused_delivery')).rowCount === 0)
  })

  it('are shown and reported again once a clock that was years ahead is set right', async () => {
    const prosa = await start()
    const right = now
    now = '2031-01-01T00:40:00.000Z'
    await send(prosa)
    expect(await reports()).toHaveLength(1)
    now = right
    expect(await shown(prosa)).toEqual({ count: 0, unsigned: 0, sources: [] })
    await times(3, () => send(prosa))
    expect(await shown(prosa)).toMatchObject({ count: 3 })
    expect((await reports()).map(({ data }) => [data.count, data.nextReportAt])).toEqual([
      [1, '2031-01-01T01:40:00.000Z'],
      [1, '2026-11-25T13:40:00.000Z'],
    ])
  })

  it('from a thousand addresses fill a bounded number of rows, events and reports, and a right one comes in meanwhile', async () => {
    const processes = [await start(), await start()]
    const flood = Array.from({ length: shortOrLong(1000, 10_000) }, (_, index) => async () => {
      const from = `10.${index % 200}.${Math.floor(index / 200)}.1`
      return send(processes[index % 2] as Host, { from, by: `guess ${index}`, to: index % 3 ? 'approved' : 'refunded' })
    })
    const answers: number[] = []
    for (let first = 0; first < flood.length; first += 100) {
      answers.push(...(await Promise.all(flood.slice(first, first + 100).map((each) => each()))))
      if (first % 500 === 0) expect(await send(processes[0] as Host, { by: token, body: `{"n":${first}}` })).toBe(200)
    }
    expect(new Set(answers)).toEqual(new Set([401]))
    expect(await shown(processes[1] as Host)).toMatchObject({ count: flood.length })
    const { rows } = await ports.pool.query<{ count: number }>('select count(*)::int as count from refused_delivery')
    expect(rows[0]?.count).toBeLessThanOrEqual(200)
    expect(await reports()).toHaveLength(1)
    expect((await typesIn('webhookDelivery')).filter((type) => type === 'DeliveryReceived')).toHaveLength(
      flood.length / 500,
    )
  }, 120_000)

  it('are answered as ever while they cannot be counted, with one line in the log', async () => {
    const prosa = await start()
    await ports.pool.query('alter table refused_delivery rename to gone')
    const lines = () => log.lines().filter(({ msg }) => msg === 'refused deliveries could not be counted').length
    const before = lines()
    expect(await times(10, () => send(prosa))).toEqual(Array(10).fill(401))
    expect(lines()).toBe(before + 1)
    await ports.pool.query('alter table gone rename to refused_delivery')
    await send(prosa)
    expect(await shown(prosa)).toMatchObject({ count: 11 })
  })
})

it('a token of fewer than 10 characters is warned of at the start, and works', async () => {
  const warned = () => log.lines().filter(({ msg }) => String(msg).includes('fewer than 10 characters')).length
  const before = warned()
  await start([token, 'ten chars!'])
  expect(warned()).toBe(before)
  const prosa = await start([token, 'nine char'])
  expect(warned()).toBe(before + 1)
  expect(await send(prosa, { by: 'nine char' })).toBe(200)
  expect(log.output()).not.toContain('nine char"')
})
