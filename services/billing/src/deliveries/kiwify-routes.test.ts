import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Host, host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { billingMigrations } from '../migrations/billing-migrations.ts'
import { offerSamplePlan } from '../testing/offer-sample-plan.ts'

const kiwifyTokens = { approved: ['approved now', 'approved next'], refunded: ['refunded now'] }
const now = '2026-06-08T15:00:00.000Z'

let ports: TestPorts
let prosa: Host
beforeEach(async () => {
  ports = await testPorts({ clock: { now: () => now }, migrations: [billingMigrations] })
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 1 }
  prosa = await host(
    [billing({ kiwifyTokens, deliveryRetentionDays: 180, findAccountId: async () => undefined })],
    ports,
    options,
  )
  await offerSamplePlan(ports)
})
afterEach(async () => {
  await prosa.stop()
  await ports.close()
})

const sign = (body: string | Uint8Array, token: string) => createHmac('sha1', token).update(body).digest('hex')
const post = async (endpoint: string, body: string | Uint8Array, signature: string, type = 'application/json') =>
  prosa.app.inject({
    method: 'POST',
    url: `/kiwify/payment/${endpoint}?signature=${signature}`,
    headers: { 'content-type': type, 'user-agent': 'axios/1.8.4' },
    payload: Buffer.from(body),
  })
const deliver = (body: string | Uint8Array, token = 'approved now') => post('approved', body, sign(body, token))
const deliveries = () => everythingIn(ports.store, 'webhookDelivery')
const typesOf = async () => (await deliveries()).map(({ type }) => type)
const settled = () => until(async () => (await typesOf()).some((type) => /Applied|Ignored|Unreadable/.test(type)))

const sample = (name: string) => readFileSync(new URL(`../kiwify/samples/${name}.json`, import.meta.url))
const purchase = (changes: object) =>
  JSON.stringify({ ...JSON.parse(sample('order-approved-card').toString()), ...changes })

describe('a report of Kiwify', () => {
  it('is answered once it is in the log, and acted on after that', async () => {
    const answer = await deliver(sample('order-approved-card'))
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }])
    const [received] = await deliveries()
    expect(received).toMatchObject({
      type: 'DeliveryReceived',
      data: { endpoint: 'approved', bytes: 2625, expiresAt: '2026-12-05T15:00:00.000Z' },
      metadata: { actor: { kind: 'webhook', id: 'kiwify' }, tenant: null },
    })
    await settled()
    expect((await deliveries()).at(-1)).toMatchObject({ type: 'DeliveryApplied', data: { kind: 'order_approved' } })
    expect((await everythingIn(ports.store, 'order')).map(({ type }) => type)).toEqual(['OrderReported'])
  })

  it('is taken under the next token too, and what it means is decided by its body, wherever it came to', async () => {
    expect((await deliver(sample('order-approved-card'), 'approved next')).statusCode).toBe(200)
    const body = purchase({ webhook_event_type: 'order_refunded', order_status: 'refunded' })
    expect((await post('refunded', body, sign(body, 'refunded now'))).statusCode).toBe(200)
    await until(async () => (await everythingIn(ports.store, 'order')).length === 2)
  })

  it('that comes again is the same one', async () => {
    for (let times = 0; times < 3; times++) expect((await deliver(sample('order-approved-card'))).statusCode).toBe(200)
    await settled()
    expect((await typesOf()).filter((type) => type === 'DeliveryReceived')).toHaveLength(1)
    expect((await typesOf()).filter((type) => type === 'DeliveryRepeated')).toHaveLength(2)
    expect((await everythingIn(ports.store, 'order')).length).toBe(1)
  })

  it.each([
    ['a wrong signature', () => post('approved', '{}', sign('{}', 'somebody'))],
    ['the token of the other address', () => post('refunded', '{}', sign('{}', 'approved now'))],
    ['no signature', () => prosa.app.inject({ method: 'POST', url: '/kiwify/payment/approved', payload: '{}' })],
    ['a signature of other bytes', () => post('approved', '{ }', sign('{}', 'approved now'))],
  ])('with %s is refused, and nothing of it is kept', async (_, send) => {
    const answer = await send()
    expect([answer.statusCode, answer.json().type]).toEqual([401, 'webhook_signature_invalid'])
    expect(await deliveries()).toEqual([])
  })

  it('over 256 KiB is refused; one of just that size is kept', async () => {
    const body = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`
    expect((await deliver(body(256 * 1024))).statusCode).toBe(200)
    expect((await deliver(body(256 * 1024 + 1))).statusCode).toBe(413)
    expect((await deliveries()).filter(({ type }) => type === 'DeliveryReceived')).toHaveLength(1)
  })

  it.each([
    ['broken JSON', '{"order_id":', 'DeliveryUnreadable'],
    ['nothing at all', '', 'DeliveryUnreadable'],
    ['bytes that are no text', Uint8Array.of(0xff, 0x00, 0xfe), 'DeliveryUnreadable'],
    ['an amount with a fraction', purchase({ Commissions: { charge_amount: 97.5 } }), 'DeliveryUnreadable'],
    ['what nests 50,000 levels deep', '['.repeat(50_000) + ']'.repeat(50_000), 'DeliveryIgnored'],
    ['a text with NUL in it', purchase({ order_ref: 'a\u0000b' }), 'DeliveryApplied'],
    ['the body of the test button', sample('pix-created'), 'DeliveryIgnored'],
  ])('that is %s is kept, answered and shown for what it is', async (_, body, outcome) => {
    expect((await deliver(body)).statusCode).toBe(200)
    await settled()
    expect((await typesOf()).at(-1)).toBe(outcome)
  })

  it('is read whatever its content type says', async () => {
    const body = sample('order-approved-card')
    const answer = await post('approved', body, sign(body, 'approved now'), 'text/plain; charset=latin1')
    expect(answer.statusCode).toBe(200)
  })

  it('cannot be guessed: after 60 wrong signatures in a minute those of an address are not even said to be wrong', async () => {
    for (let guess = 0; guess < 60; guess++) await post('approved', '{}', sign('{}', `guess ${guess}`))
    expect((await post('approved', '{}', sign('{}', 'one more'))).statusCode).toBe(429)
    expect((await deliver(sample('order-approved-card'))).statusCode).toBe(200)
  })
})

describe('access', () => {
  const userId = randomUUID()
  const subscription = () => everythingIn(ports.store, 'subscription')

  it('is given through the token of a purchase link, and ended by a refund at once', async () => {
    const bought = purchase({ TrackingParameters: { sck: purchaseTokenOf(ports.box, userId) } })
    await deliver(bought)
    await until(async () => (await subscription()).length === 2)
    expect((await subscription()).at(-1)).toMatchObject({
      type: 'AccessGranted',
      stream: `subscription-${userId}`,
      data: { endsAt: '2026-07-08T14:53:23.137Z', status: 'active' },
      metadata: { tenant: userId, actor: { kind: 'system', id: 'settle-on-order-reported' } },
    })
    const { rows } = await ports.pool.query(`select key, due_at from timer where kind = 'end-access'`)
    await until(async () => rows.length === 1 || (await ports.pool.query('select from timer')).rowCount === 2)

    await deliver(purchase({ webhook_event_type: 'order_refunded', refunded_at: '2026-06-09 10:00' }))
    await until(async () => (await subscription()).length === 3)
    expect((await subscription()).at(-1)).toMatchObject({
      type: 'AccessRevoked',
      data: { cause: 'refund', endsAt: null, status: 'expired' },
    })
    await until(async () => (await ports.pool.query(`select from timer where kind = 'end-access'`)).rowCount === 0)
  })

  it('leaves nothing of the buyer behind once the account was erased, also of what comes later', async () => {
    const token = { TrackingParameters: { sck: purchaseTokenOf(ports.box, userId) } }
    const withBuyer = async () => {
      const orders = await everythingIn(ports.store, 'order')
      const stored = await ports.codec.decode(orders)
      return stored.filter(({ type, data }) => type === 'OrderReported' && data.buyerEmail !== null).length
    }
    await deliver(purchase(token))
    await until(async () => (await subscription()).some(({ type }) => type === 'AccessGranted'))
    expect(await withBuyer()).toBe(1)

    const stream = `user-${userId}`
    const actor = { kind: 'user', id: userId } as const
    const metadata = { causationId: 'x', correlationId: 'x', actor, tenant: userId, recordedAt: now }
    const event = { type: 'UserErased', data: {} } as const
    await ports.store.append(
      stream,
      'no_stream',
      await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }]),
    )
    await until(async () => (await everythingIn(ports.store, 'order')).at(-1)?.type === 'OrderBuyerErased')

    await deliver(purchase({ ...token, webhook_event_type: 'order_refunded' }))
    await until(async () => (await subscription()).some(({ type }) => type === 'AccessRevoked'))
    expect(await withBuyer()).toBe(1)

    await deliver(purchase({ ...token, order_id: 'the-next-month', webhook_event_type: 'subscription_renewed' }))
    await until(
      async () =>
        (await everythingIn(ports.store, 'order')).filter(({ type }) => type === 'OrderBuyerErased').length === 2,
    )
  })

  it('is not given by a token that somebody made up', async () => {
    await deliver(purchase({ TrackingParameters: { sck: Buffer.from(userId).toString('base64url') } }))
    await until(async () => (await everythingIn(ports.store, 'entitlement')).length === 1)
    expect(await subscription()).toEqual([])
  })
})

it('nobody may report anything while no token is set', async () => {
  const alone = await testPorts({ migrations: [billingMigrations] })
  const open = await host(
    [
      billing({
        kiwifyTokens: { approved: [], refunded: [] },
        deliveryRetentionDays: 180,
        findAccountId: async () => undefined,
      }),
    ],
    alone,
    {
      hostname: '127.0.0.1',
      port: 0,
      trustedOrigins: [],
    },
  )
  const url = `/kiwify/payment/approved?signature=${sign('{}', '')}`
  const answer = await open.app.inject({ method: 'POST', url, payload: '{}' })
  expect([answer.statusCode, answer.json().type]).toEqual([503, 'webhook_not_configured'])
  await open.stop()
  await alone.close()
})
