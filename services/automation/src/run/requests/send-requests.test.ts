import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import type { SentFlowRequest } from '@prosa/contracts/http/flow-runs'
import { beginning } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asks, begins, flowOf, nodeOf, says } from '../testing/flow-of.ts'
import { type TestAutomation, testAutomation } from '../testing/test-automation.ts'

let service: TestAutomation
let address: string
const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
let answer: (at: number) => { status: number; body?: unknown } | 'never' = () => ({ status: 200 })

const server = createServer(async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString() })
  const given = answer(received.length)
  if (given !== 'never') response.writeHead(given.status).end(JSON.stringify(given.body ?? {}))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  service = await testAutomation(
    { flowMessagesPerContact: 1000, flowRequestsPerDay: 40 },
    { reach: 'loopback too', pauses: [5, 5], timeoutMs: 1000, pollMs: 20 },
  )
})
afterAll(async () => {
  await service?.stop()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received.length = 0
  answer = () => ({ status: 200, body: { situacao: 'saiu' } })
})

const flowWith = (data: Partial<FlowNodeOf<'request'>['data']> = {}) =>
  flowOf(
    [
      begins,
      asks('pedido', 'Qual pedido?'),
      nodeOf('consulta', 'request', {
        url: `${address}/pedidos/{pedido}`,
        headers: [{ name: 'Authorization', value: 'Bearer {{segredo:chave}}' }],
        results: [{ path: 'situacao', variable: 'situacao' }],
        ...data,
      }),
      says('ok', '{pedido}: {situacao}'),
      says('falha'),
    ],
    ['start > pedido', 'pedido answer > consulta', 'consulta success > ok', 'consulta failure > falha'],
  )

const secret = 'sk-muito-secreta'
const shopWith = async (data: Partial<FlowNodeOf<'request'>['data']> = {}) => {
  const shop = await service.shop()
  expect((await shop.request('PUT', '/api/flow-secrets/chave', { value: secret })).statusCode).toBe(200)
  await shop.flow(flowWith(data))
  return shop
}
type Shop = Awaited<ReturnType<typeof shopWith>>

const asked = async (shop: Shop, order = '1234') => {
  const ana = await shop.contact()
  await ana.writes('oi')
  await until(async () => (await ana.sent()).length === 1)
  await ana.writes(order)
  return ana
}

const everything = async () => {
  const texts: string[] = []
  for await (const { events } of service.ports.store.readAll(beginning, {
    categories: ['flowRun', 'flow', 'flowSecret', 'chat', 'contact'],
  }))
    texts.push(...events.map(({ data, metadata }) => JSON.stringify([data, metadata])))
  return texts.join('\n')
}

describe('a request of a flow', () => {
  it('is sent, and the run goes on with what the reply has', async () => {
    const shop = await shopWith()
    const ana = await asked(shop)
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.sent()).toEqual(['Qual pedido?', '1234: saiu'])
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ url: '/pedidos/1234', headers: { authorization: `Bearer ${secret}` } })
    expect(await ana.events('FlowRequestAnswered')).toMatchObject([
      { data: { status: 200, failure: null, attempts: 1, values: { situacao: 'saiu' } } },
    ])
  })

  it('is repeated with its key, and recorded once with its attempts', async () => {
    answer = (at) => (at < 3 ? { status: 503 } : { status: 200, body: { situacao: 'pronto' } })
    const ana = await asked(await shopWith())
    await until(async () => (await ana.ends()).length === 1)
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(await ana.events('FlowRequestAnswered')).toMatchObject([{ data: { status: 200, attempts: 3 } }])
  })

  it('has its secret in no event, table, list or reply', async () => {
    answer = (at) => ({ status: 200, body: { situacao: received[at - 1]?.headers.authorization } })
    const shop = await shopWith()
    const ana = await asked(shop)
    await until(async () => (await ana.ends()).length === 1)
    expect((await ana.sent()).at(-1)).toBe('1234: Bearer •••')
    const listed = await shop.request('GET', '/api/flow-secrets')
    expect(listed.json()).toEqual([{ name: 'chave' }])
    const stored = await shop.events('FlowSecretStored')
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect(await everything()).not.toContain(secret)
    const { rows } = await service.ports.pool.query('select * from flow_request')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('uses the latest value of a secret, and without it goes on by "Deu errado"', async () => {
    const shop = await shopWith()
    await shop.request('PUT', '/api/flow-secrets/chave', { value: 'outra-chave' })
    const ana = await asked(shop)
    await until(async () => (await ana.ends()).length === 1)
    expect(received[0]?.headers.authorization).toBe('Bearer outra-chave')
    await shop.request('DELETE', '/api/flow-secrets/chave')
    const rui = await asked(shop)
    await until(async () => (await rui.ends()).length === 1)
    expect((await rui.sent()).at(-1)).toBe('falha')
    expect(received).toHaveLength(1)
    expect(await rui.events('FlowRequestAnswered')).toMatchObject([{ data: { failure: 'no_secret' } }])
  })

  it('never takes another tenant’s secret', async () => {
    await shopWith()
    const other = await service.shop()
    await other.flow(flowWith())
    const ana = await asked(other as Shop)
    await until(async () => (await ana.ends()).length === 1)
    expect((await ana.sent()).at(-1)).toBe('falha')
    expect(received).toEqual([])
    expect((await other.request('GET', '/api/flow-secrets')).json()).toEqual([])
  })

  it('of a slow address delays no other tenant', async () => {
    const [slow, quick] = [await shopWith({ url: `${address}/lento/{pedido}` }), await shopWith()]
    answer = (at) => (received[at - 1]?.url.startsWith('/lento') ? 'never' : { status: 200, body: { situacao: 'já' } })
    const waiting = await Promise.all(Array.from({ length: 12 }, () => asked(slow)))
    await until(() => received.length >= 8)
    const ana = await asked(quick)
    await until(async () => (await ana.ends()).length === 1)
    expect((await ana.sent()).at(-1)).toBe('1234: já')
    await until(
      async () => (await Promise.all(waiting.map((each) => each.ends()))).every((ends) => ends.length === 1),
      30_000,
    )
  }, 60_000)

  it('beyond the day’s limit goes on by "Deu errado"', async () => {
    const shop = await shopWith()
    expect(await service.ports.spending.spendToday(shop.tenant, 'flowRequestsPerDay', 40)).toBe(true)
    const ana = await asked(shop)
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.events('FlowRequestAnswered')).toMatchObject([{ data: { failure: 'daily_limit', attempts: 0 } }])
    expect(received).toEqual([])
    const test = await shop.ask('/api/flow-requests/test', {
      request: { title: '', method: 'GET', url: address, headers: [], body: '', results: [] },
    })
    expect(test.json<SentFlowRequest>()).toMatchObject({ failure: 'daily_limit' })
  })

  it('is not sent where the run has ended, and its reply then changes nothing', async () => {
    answer = () => 'never'
    const shop = await shopWith()
    const ana = await asked(shop)
    await until(() => received.length === 1)
    await shop.record(`contact-${ana.id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.ends()).toEqual(['accepted'])
    const { rows } = await until(async () => {
      const found = await service.ports.pool.query('select from flow_request where contact_id = $1', [ana.id])
      return found.rows.length === 0 && found
    })
    expect(rows).toEqual([])
    expect(await ana.events('FlowRequestAnswered')).toEqual([])
  })

  it('leaves nothing of what was mapped when the person is erased', async () => {
    const shop = await shopWith()
    const ana = await asked(shop, 'pedido da Ana')
    await until(async () => (await ana.ends()).length === 1)
    await service.ports.subjectKeys.erase([`contact:${ana.id}`])
    const [sentThen] = await ana.events('FlowRequestAsked')
    const [mapped] = await ana.events('FlowRequestAnswered')
    expect([sentThen?.data, mapped?.data]).toMatchObject([{ values: {} }, { values: {}, status: 200 }])
  })
})

describe('a test of a request', () => {
  it('sends it once, with sample values, and shows the reply without the secret', async () => {
    answer = (at) => ({ status: 201, body: { situacao: 'novo', com: received[at - 1]?.headers.authorization } })
    const shop = await shopWith()
    const { data } = flowWith({ method: 'POST', body: '{"n": {quantidade}}' }).nodes[2] as FlowNodeOf<'request'>
    const values = { pedido: 'a/b', quantidade: '2' }
    const reply = (await shop.ask('/api/flow-requests/test', { request: data, values })).json<SentFlowRequest>()
    expect(reply).toMatchObject({ status: 201, failure: null, attempts: 1, values: { situacao: 'novo' }, isCut: false })
    expect(reply.body).toContain('Bearer •••')
    expect(received).toMatchObject([{ url: '/pedidos/a%2Fb', body: '{"n": 2}' }])
    answer = () => ({ status: 503 })
    const failed = (await shop.ask('/api/flow-requests/test', { request: data, values })).json<SentFlowRequest>()
    expect(failed).toMatchObject({ status: 503, failure: 'status', attempts: 1 })
  })

  it('goes to no private address', async () => {
    const shop = await service.shop()
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[fd00::1]/']) {
      const request = { title: '', method: 'GET', url, headers: [], body: '', results: [] }
      const reply = await shop.ask('/api/flow-requests/test', { request })
      expect([url, reply.json<SentFlowRequest>().failure]).toEqual([url, 'not_allowed'])
    }
  })
})

describe('secrets', () => {
  it('are at most 50, with names that a text can have', async () => {
    const shop = await service.shop()
    const put = (name: string, value = 'x') => shop.request('PUT', `/api/flow-secrets/${name}`, { value })
    for (let at = 0; at < 50; at++) expect((await put(`s${at}`)).statusCode).toBe(200)
    expect((await put('s50')).json()).toMatchObject({ type: 'too_many_flow_secrets' })
    expect((await put('s49', 'outro')).statusCode).toBe(200)
    for (const name of ['Chave', '1a', 'a-b', `a${'b'.repeat(40)}`, '%7B'])
      expect([name, (await put(name)).statusCode]).toEqual([name, 422])
    expect((await put('s0', '')).statusCode).toBe(422)
    expect((await put('s0', 'x'.repeat(4001))).statusCode).toBe(422)
  })
})
