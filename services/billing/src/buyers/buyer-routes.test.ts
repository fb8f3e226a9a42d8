import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { erasedText } from '@prosa/contracts/values/personal'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { beginning, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { capturedLog } from '@prosa/kernel/testing/captured-log'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { billingMigrations } from '../migrations/billing-migrations.ts'
import { offerSamplePlan } from '../testing/offer-sample-plan.ts'
import { buyerKeyOf } from './buyer-key.ts'

const [admin, subscriber] = [randomUUID(), randomUUID()]
const registered = 'ana.da.conta@example.org'
const sample = JSON.parse(readFileSync(new URL('../kiwify/samples/order-approved-card.json', import.meta.url), 'utf8'))
const log = capturedLog()

let ports: TestPorts
let codec: ReturnType<typeof eventCodec>
let prosa: Host
beforeAll(async () => {
  const plain = await testPorts({
    log: log.log,
    migrations: [billingMigrations],
    roles: { of: async (userId) => (userId === admin ? ['admin'] : []) },
  })
  codec = eventCodec({ personal: personalEncryption(plain.subjectKeys, plain.box) })
  ports = { ...plain, codec }
  await offerSamplePlan(ports)
  const service = billing({
    kiwifyTokens: { approved: ['the token of Prosa'], refunded: [] },
    deliveryRetentionDays: 180,
    findAccountId: async (_, { email }) => (email === registered ? subscriber : undefined),
  })
  prosa = await host([service], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
})
afterAll(async () => {
  await prosa.stop()
  await ports.close()
})

const erase = async (body: object, user: string = admin, key: string = randomUUID()) => {
  const { token } = await ports.browserSessions.issue(user)
  const headers = { cookie: `${sessionCookie}=${token}`, 'idempotency-key': key }
  const answer = await prosa.app.inject({ method: 'POST', url: '/api/admin/buyers/erase', headers, payload: body })
  return [answer.statusCode, answer.json()] as const
}
const wish = (email: string) => ({ email, reason: 'Pediu pelo formulário', confirmation: 'apagar' })

const deliver = async (report: object) => {
  const body = JSON.stringify(report)
  const signature = createHmac('sha1', 'the token of Prosa').update(body).digest('hex')
  const url = `/kiwify/payment/approved?signature=${signature}`
  const answer = await prosa.app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: { 'content-type': 'text/plain' },
  })
  expect(answer.statusCode).toBe(200)
}
const purchase = (email: string, orderId: string, more: object = {}) => ({
  ...sample,
  order_id: orderId,
  subscription_id: null,
  Subscription: null,
  Customer: { full_name: `Nome de ${email}`, email, CPF: '39053344705' },
  TrackingParameters: null,
  ...more,
})
const cart = (email: string) => ({ id: randomUUID(), status: 'abandoned', name: `Nome de ${email}`, email })

const everything = async (): Promise<Stored[]> => {
  const rows: RecordedEvent[] = []
  const categories = ['webhookDelivery', 'order', 'entitlement', 'subscription'] as const
  for await (const { events } of ports.store.readAll(beginning, { categories })) rows.push(...events)
  return codec.decode(rows)
}
const ofOrder = async (orderId: string) =>
  (await everything()).filter(({ stream }) => stream === `order-${orderId}`).map(({ type }) => type)
const ofAddress = async (email: string) =>
  (await everything()).filter(({ stream }) => stream === `entitlement-${buyerKeyOf(ports.box, email)}`)
const readable = async (email: string) => {
  const text = JSON.stringify(
    (await everything()).map(({ data }) =>
      'body' in data && data.body !== erasedText ? Buffer.from(String(data.body), 'base64').toString() : data,
    ),
  )
  return text.split(email).length - 1
}
const settled = (email: string, types: number) => until(async () => (await ofAddress(email)).length === types)

describe('people without an account', () => {
  it('are erased by their address: purchases, abandoned carts, and what comes later', async () => {
    const email = 'joana@example.org'
    await deliver(purchase(email, 'joana-1'))
    await deliver(purchase(email, 'joana-1', { nonce: 'the same order, other bytes' }))
    await deliver(purchase(email, 'joana-2'))
    await deliver(cart(email))
    await settled(email, 3)
    await until(async () => (await ofOrder('joana-1')).includes('OrderDeliveryAttached'))
    expect(await readable(email)).toBeGreaterThan(5)

    expect(await erase(wish('  Joana@Example.org '))).toEqual([200, { orders: 2, deliveries: 4 }])
    await until(async () => (await readable(email)) === 0)
    const erased = (await ofAddress(email)).at(-1)
    expect(erased).toMatchObject({
      type: 'BuyerErased',
      data: {},
      metadata: { actor: { kind: 'admin', id: admin }, tenant: null, reason: 'Pediu pelo formulário' },
    })

    await deliver(cart(email))
    await deliver(purchase(email, 'joana-3'))
    await settled(email, 6)
    await until(async () => (await readable(email)) === 0)
    await until(async () => (await ofOrder('joana-3')).includes('OrderBuyerErased'))
    expect(await readable('39053344705')).toBe(0)
  })

  it('are erased once, however often it is asked for, and the answer stays the same', async () => {
    const email = 'twice@example.org'
    await deliver(purchase(email, 'twice-1'))
    await settled(email, 1)
    const expected = [200, { orders: 1, deliveries: 1 }]
    const key = randomUUID()
    expect(await Promise.all([erase(wish(email)), erase(wish(email))])).toEqual([expected, expected])
    expect(await erase(wish(email), admin, key)).toEqual(expected)
    expect(await erase(wish(email), admin, key)).toEqual(expected)
    expect((await ofAddress(email)).filter(({ type }) => type === 'BuyerErased')).toHaveLength(1)
  })

  it('of whom nothing is known yet are erased as soon as something comes', async () => {
    const email = 'later@example.org'
    expect(await erase(wish(email))).toEqual([200, { orders: 0, deliveries: 0 }])
    await deliver(cart(email))
    await deliver(purchase(email, 'later-1'))
    await settled(email, 3)
    await until(async () => (await ofOrder('later-1')).includes('OrderBuyerErased'))
    await until(async () => (await readable(email)) === 0)
  })

  it('are erased whichever comes first, the delivery or the erasure', async () => {
    const emails = Array.from({ length: 12 }, (_, index) => `race-${index}@example.org`)
    await Promise.all(
      emails.flatMap((email, index) => {
        const both = [
          () => deliver(purchase(email, `race-${index}`)),
          () => erase(wish(email)),
          () => deliver(cart(email)),
        ]
        return (index % 2 ? both : both.reverse()).map((act) => act())
      }),
    )
    for (const [index, email] of emails.entries()) {
      await settled(email, 3)
      await until(async () => (await ofOrder(`race-${index}`)).includes('OrderBuyerErased'))
    }
    await until(async () => (await readable('Nome de race-')) === 0)
  })

  it('who come back and prove the address have what they paid for, and nothing that was erased', async () => {
    const [email, user] = ['back@example.org', randomUUID()]
    await deliver(purchase(email, 'back-1'))
    await settled(email, 1)
    await erase(wish(email))
    await until(async () => (await ofOrder('back-1')).includes('OrderBuyerErased'))

    const stream = `user-${user}`
    const metadata = {
      causationId: 'x',
      correlationId: 'x',
      actor: { kind: 'user', id: user } as const,
      tenant: user,
      recordedAt: '2026-11-25T12:00:00.000Z',
    }
    const data = { firstName: 'Volta', lastName: 'Lima', email, credentialId: randomUUID() }
    const events = [
      { id: randomUUID(), stream, event: { type: 'UserRegistered', data }, metadata },
      { id: randomUUID(), stream, event: { type: 'EmailConfirmed', data: {} }, metadata },
    ] as const
    await ports.store.append(stream, 'no_stream', await codec.encode(events))
    await until(async () => (await ofOrder('back-1')).includes('OrderAssigned'))
    await until(async () =>
      (await everything()).some(({ type, stream: of }) => type === 'AccessGranted' && of === `subscription-${user}`),
    )
    expect(await readable(`Nome de ${email}`)).toBe(0)

    await deliver(purchase(email, 'back-2'))
    await until(async () => (await ofOrder('back-2')).includes('OrderAssigned'))
    expect(await ofOrder('back-2')).not.toContain('OrderBuyerErased')
    expect(await erase(wish(email))).toMatchObject([409, { type: 'address_has_account' }])
    expect(await readable(`Nome de ${email}`)).toBeGreaterThan(0)
  })
})

describe('an erasure by address', () => {
  it('of somebody who has an account is refused, and nothing is erased', async () => {
    await deliver(cart(registered))
    await settled(registered, 1)
    expect(await erase(wish(registered))).toMatchObject([409, { type: 'address_has_account' }])
    expect((await ofAddress(registered)).map(({ type }) => type)).toEqual(['BuyerDeliverySeen'])
  })

  it.each([
    [{ email: 'joana' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: undefined }, 'email'],
    [{ email: `${'a'.repeat(250)}@example.org` }, 'email'],
    [{ reason: ' ' }, 'reason'],
    [{ reason: undefined }, 'reason'],
    [{ reason: 'a'.repeat(501) }, 'reason'],
    [{ confirmation: 'sim' }, 'confirmation'],
    [{ confirmation: undefined }, 'confirmation'],
  ])('with %j is refused at its field', async (changes, field) => {
    expect(await erase({ ...wish('nobody@example.org'), ...changes })).toMatchObject([422, { errors: [{ field }] }])
    expect(await ofAddress('nobody@example.org')).toEqual([])
  })

  it('is for administrators', async () => {
    expect((await erase(wish('nobody@example.org'), subscriber))[0]).toBe(403)
    expect(await ofAddress('nobody@example.org')).toEqual([])
  })

  it('leaves nothing of the buyer in a purchase that is another account’s, and the purchase itself', async () => {
    const email = 'gift@example.org'
    await deliver(purchase(email, 'gift-1'))
    await settled(email, 1)
    const context = { commandId: randomUUID(), causationId: 'x', correlationId: 'x' }
    const assigned = { id: context.commandId, stream: 'order-gift-1' }
    let revision = 0n
    for await (const page of ports.store.read(assigned.stream)) revision = page.at(-1)?.revision ?? revision
    const event = { type: 'OrderAssigned', data: { userId: subscriber, by: 'administrator' } } as const
    const actor = { kind: 'admin', id: admin } as const
    const metadata = { ...context, actor, tenant: null, recordedAt: '2026-11-25T12:00:00.000Z' }
    await ports.store.append(assigned.stream, revision, await codec.encode([{ ...assigned, event, metadata }]))
    await settled(email, 2)
    expect(await readable(`Nome de ${email}`)).toBeGreaterThan(0)
    expect(await erase(wish(email))).toEqual([200, { orders: 1, deliveries: 1 }])
    await until(async () => (await readable(`Nome de ${email}`)) === 0)
    expect(await ofOrder('gift-1')).toContain('OrderBuyerErased')
    const granted = (await everything()).filter(
      ({ type, stream }) => type.startsWith('Access') && stream.endsWith(subscriber),
    )
    expect(granted.map(({ type }) => type)).toContain('AccessGranted')
    expect(granted.map(({ type }) => type)).not.toContain('AccessRevoked')
  })

  it('leaves the address nowhere but in what was delivered: no log line, no event, no table', async () => {
    const email = 'planted.word@example.org'
    await erase(wish(email))
    await erase({ ...wish(email), confirmation: 'não' })
    await erase(wish(email), subscriber)
    expect(log.output()).not.toContain('planted.word')
    const { rows: tables } = await ports.pool.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of tables) {
      const { rows } = await ports.pool.query(`select * from ${name} as t where t::text like '%planted.word%'`)
      expect([name, rows]).toEqual([name, []])
    }
    const events = (await everything()).map(({ stream, data, metadata }) => [stream, data, metadata])
    expect(JSON.stringify(events)).not.toContain('planted.word')
  })
})

describe('a charge of somebody who was erased', () => {
  const charged = async (orderId: string) =>
    (await everything()).filter(({ type, stream }) => type === 'ErasedBuyerCharged' && stream === `order-${orderId}`)

  it('is reported once, with what a refund at Kiwify needs and nothing of the person', async () => {
    const email = 'renewal@example.org'
    const subscription_id = randomUUID()
    const renewal = (orderId: string, kind = 'subscription_renewed') =>
      purchase(email, orderId, { subscription_id, webhook_event_type: kind })
    await deliver(renewal('paid-before', 'order_approved'))
    await settled(email, 1)
    await erase(wish(email))
    await until(async () => (await ofOrder('paid-before')).includes('OrderBuyerErased'))
    await deliver(renewal('paid-before'))
    await until(async () => (await ofOrder('paid-before')).filter((type) => type === 'OrderReported').length === 2)

    await deliver(renewal('paid-after'))
    await deliver(renewal('paid-after', 'order_approved'))
    await until(async () => (await ofOrder('paid-after')).filter((type) => type === 'OrderReported').length === 2)
    await until(async () => (await charged('paid-after')).length === 1)
    const [report] = await charged('paid-after')
    expect(report?.data).toEqual({ orderRef: 'aBcDeF1', subscriptionId: subscription_id, amountCents: 9700 })
    await until(async () => (await readable(email)) === 0)
    expect(await charged('paid-after')).toHaveLength(1)
    expect(await charged('paid-before')).toEqual([])
  })

  it('is none where nothing was paid, or the money went back', async () => {
    const email = 'unpaid@example.org'
    await erase(wish(email))
    await deliver(purchase(email, 'unpaid-pix', { webhook_event_type: 'pix_created' }))
    await deliver(purchase(email, 'unpaid-refund', { webhook_event_type: 'order_refunded' }))
    for (const id of ['unpaid-pix', 'unpaid-refund'])
      await until(async () => (await ofOrder(id)).includes('OrderBuyerErased'))
    await deliver(purchase(email, 'unpaid-refund'))
    await until(async () => (await ofOrder('unpaid-refund')).filter((type) => type === 'OrderReported').length === 2)
    await deliver(purchase(email, 'unpaid-pix'))
    await until(async () => (await charged('unpaid-pix')).length === 1)
    expect(await charged('unpaid-refund')).toEqual([])
  })
})
