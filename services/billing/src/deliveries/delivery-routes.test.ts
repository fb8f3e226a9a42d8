import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { WebhookPreview } from '@prosa/contracts/http/accounts/webhook-logs'
import { erasedText } from '@prosa/contracts/values/personal'
import { type Codec, eventCodec, UndecodableEvent } from '@prosa/kernel/event-store/codec'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { administration } from '@prosa/product/administration/administration'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { offerSamplePlan } from '../testing/offer-sample-plan.ts'

const [admin, analyst, buyer] = [randomUUID(), randomUUID(), randomUUID()]
const routes = [
  ['GET', '/preview'],
  ['POST', '/reprocess'],
] as const
/** Simulates undecodable deliveries from a future version. */
let isBroken = false
const codec: Codec = {
  ...eventCodec(),
  async decode(page) {
    if (isBroken && page.some(({ type }) => type === 'DeliveryReceived')) throw new UndecodableEvent('from the future')
    return eventCodec().decode(page)
  },
}

let ports: TestPorts
let prosa: Host
beforeEach(async () => {
  isBroken = false
  ports = await testPorts({
    codec,
    roles: { of: async (userId) => (userId === admin ? ['admin'] : userId === analyst ? ['analyst'] : []) },
  })
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [] }
  const kiwifyTokens = { approved: ['token'], refunded: [] }
  prosa = await host(
    [administration, billing({ kiwifyTokens, deliveryRetentionDays: 180, findAccountId: async () => undefined })],
    ports,
    options,
  )
  await offerSamplePlan(ports)
})
afterEach(async () => {
  await prosa.stop()
  await ports.close()
})

const ask = async (method: 'GET' | 'POST', url: string, user: string | undefined = admin, more: object = {}) => {
  const cookie = user && `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`
  return prosa.app.inject({ method, url, headers: { ...(cookie && { cookie }), ...more } })
}
const sayWhy = async (url: string) => {
  const asked = await ask('GET', url)
  expect([asked.statusCode, asked.json().type]).toEqual([428, 'purpose_needed'])
  const { tenantId } = asked.json()
  const cookie = `${sessionCookie}=${(await ports.browserSessions.issue(admin)).token}`
  const payload = { tenantId, purpose: 'incident' }
  const said = await prosa.app.inject({
    method: 'POST',
    url: '/api/admin/reading-purposes',
    headers: { cookie },
    payload,
  })
  expect(said.statusCode).toBe(200)
  return tenantId
}
const sample = () =>
  JSON.parse(readFileSync(new URL('../kiwify/samples/order-approved-card.json', import.meta.url), 'utf8'))
const purchase = () => ({ ...sample(), TrackingParameters: { sck: purchaseTokenOf(ports.box, buyer) } })
const events = async () => (await everythingIn(ports.store, 'webhookDelivery')).map(({ type }) => type)

const deliver = async (body: string) => {
  const signature = createHmac('sha1', 'token').update(body).digest('hex')
  const url = `/kiwify/payment/approved?signature=${signature}`
  expect((await prosa.app.inject({ method: 'POST', url, payload: Buffer.from(body) })).statusCode).toBe(200)
  const [received] = (await everythingIn(ports.store, 'webhookDelivery')).slice(-1)
  return `/api/admin/webhook-logs/${received?.stream.slice('webhookDelivery-'.length)}`
}

describe('a delivery', () => {
  it('is reprocessed once for each request, and by administrators only', async () => {
    const path = await deliver(JSON.stringify(purchase()))
    const facts = async () => (await everythingIn(ports.store, 'subscription')).map(({ type }) => type)
    await until(async () => (await facts()).includes('AccessGranted'))
    expect((await facts()).slice(0, 2)).toEqual(['OrderAttached', 'AccessGranted'])
    await until(async () => (await events()).length === 2)
    for (const [method, end] of routes) {
      const url = `${path}${end}`
      expect((await ask(method, url, analyst)).statusCode).toBe(403)
      expect((await prosa.app.inject({ method, url })).statusCode).toBe(401)
    }
    await sayWhy(`${path}/preview`)
    const preview = (await ask('GET', `${path}/preview`)).json<WebhookPreview>()
    expect(preview).toEqual({ note: null, changes: [] })
    const key = { 'idempotency-key': randomUUID() }
    for (const _ of [1, 2]) expect((await ask('POST', `${path}/reprocess`, admin, key)).statusCode).toBe(202)
    await until(async () => (await events()).length === 4)
    expect(await events()).toEqual(['DeliveryReceived', 'DeliveryApplied', 'DeliveryReprocessed', 'DeliveryApplied'])
    expect((await everythingIn(ports.store, 'order')).length).toBe(2)
  })

  it('that never came is not found, and one whose bytes are gone cannot be reprocessed', async () => {
    expect((await ask('GET', '/api/admin/webhook-logs/unknown/preview')).statusCode).toBe(404)
    expect((await ask('POST', '/api/admin/webhook-logs/unknown/reprocess')).statusCode).toBe(404)
    const data = { endpoint: 'approved', body: erasedText, bytes: 2, expiresAt: '2027-01-01T00:00:00.000Z' } as const
    const stream = 'webhookDelivery-erased'
    const actor = { kind: 'webhook', id: 'kiwify' } as const
    const metadata = {
      causationId: 'x',
      correlationId: 'x',
      actor,
      tenant: null,
      recordedAt: '2026-11-23T10:00:00.000Z',
    }
    const event = { type: 'DeliveryReceived', data } as const
    await ports.store.append(
      stream,
      'no_stream',
      await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }]),
    )
    for (const [method, end] of routes) {
      const reply = await ask(method, `/api/admin/webhook-logs/erased${end}`)
      expect([reply.statusCode, reply.json().type]).toEqual([409, 'delivery_body_gone'])
    }
  })

  it('that stopped by an error goes on when it is reprocessed', async () => {
    isBroken = true
    const path = await deliver(JSON.stringify(purchase()))
    const works = async () => (await everythingIn(ports.store, 'parkedWork')).map(({ type }) => type)
    await until(async () => (await works()).length === 1)
    const [parked] = await everythingIn(ports.store, 'parkedWork')
    expect(parked?.data).toMatchObject({
      worker: 'reactor apply-on-delivery-received',
      stream: `webhookDelivery-${path.split('/').at(-1)}`,
    })
    expect(await everythingIn(ports.store, 'order')).toEqual([])

    isBroken = false
    for (const _ of [1, 2]) expect((await ask('POST', `${path}/reprocess`)).statusCode).toBe(202)
    await until(async () => (await works()).length === 3)
    expect(await works()).toEqual(['WorkParked', 'WorkRetried', 'WorkResumed'])
    expect((await events()).filter((type) => type === 'DeliveryReprocessed')).toHaveLength(1)
    expect((await everythingIn(ports.store, 'order')).map(({ type }) => type)).toEqual([
      'OrderReported',
      'OrderAssigned',
    ])
  })
})
