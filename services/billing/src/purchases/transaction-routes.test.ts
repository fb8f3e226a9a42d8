import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { offerSamplePlan } from '../testing/offer-sample-plan.ts'

const [admin, subscriber, another] = [randomUUID(), randomUUID(), randomUUID()]
const orderId = '7ea1c0de-0000-4000-8000-0123456789ab'

let ports: TestPorts
let prosa: Host
beforeAll(async () => {
  ports = await testPorts({ roles: { of: async (userId) => (userId === admin ? ['admin'] : []) } })
  const findAccountId = async (_: unknown, { userId, email }: { userId?: string; email?: string }) =>
    userId === another ? another : userId === subscriber || email === 'ana@lima.com.br' ? subscriber : undefined
  const service = billing({
    kiwifyTokens: { approved: ['token'], refunded: [] },
    deliveryRetentionDays: 180,
    findAccountId,
  })
  prosa = await host([service], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
  await offerSamplePlan(ports)
})
afterAll(async () => {
  await prosa.stop()
  await ports.close()
})

const send = async (
  method: 'POST' | 'DELETE',
  path: string,
  payload: object,
  user: string = admin,
  key: string = randomUUID(),
) => {
  const { token } = await ports.browserSessions.issue(user)
  const headers = { cookie: `${sessionCookie}=${token}`, 'idempotency-key': key }
  const answer = await prosa.app.inject({ method, url: `/api/admin/transactions/${path}`, headers, payload })
  return [answer.statusCode, answer.json()] as const
}
const assign = (payload: object, user?: string, key?: string) => send('POST', `${orderId}/assign`, payload, user, key)
const order = () => everythingIn(ports.store, 'order')

const report = async (changes: object) => {
  const sample = readFileSync(new URL('../kiwify/samples/order-approved-card.json', import.meta.url)).toString()
  const body = JSON.stringify({ ...JSON.parse(sample), ...changes })
  const signature = createHmac('sha1', 'token').update(body).digest('hex')
  const headers = { 'content-type': 'application/json' }
  await prosa.app.inject({
    method: 'POST',
    url: `/kiwify/payment/approved?signature=${signature}`,
    headers,
    payload: body,
  })
}

it('a purchase that nobody claimed is given to an account by an administrator, and gives it access', async () => {
  await report({ order_id: orderId })
  await until(async () => (await order()).length === 1)

  const ana = { email: ' Ana@lima.com.br' }
  expect((await assign(ana, subscriber))[0]).toBe(403)
  expect(await assign({ email: 'ninguem@lima.com.br' })).toMatchObject([404, { type: 'user_not_found' }])
  expect(await assign({})).toMatchObject([422, { errors: [{ field: 'email' }] }])
  expect(await send('POST', 'unknown/assign', ana)).toMatchObject([404, { type: 'transaction_not_found' }])

  const key = randomUUID()
  const given = [200, { id: orderId, userId: subscriber }]
  expect(await assign({ ...ana, reason: 'mandou o recibo' }, admin, key)).toEqual(given)
  expect(await assign({ ...ana, reason: 'mandou o recibo' }, admin, key)).toEqual(given)
  expect(await assign({ userId: subscriber })).toEqual(given)
  const [, assigned, ...more] = await order()
  expect(assigned).toMatchObject({
    type: 'OrderAssigned',
    data: { userId: subscriber, by: 'administrator' },
    metadata: { reason: 'mandou o recibo', actor: { kind: 'admin', id: admin }, tenant: null },
  })
  expect(more).toEqual([])
  await until(async () =>
    (await everythingIn(ports.store, 'subscription')).some(({ type }) => type === 'AccessGranted'),
  )
})

it('a purchase passes to another account with a reason, and takes its access with it', async () => {
  const other = { userId: another }
  const before = (await order()).length
  expect(await assign(other)).toMatchObject([422, { errors: [{ field: 'reason' }] }])
  expect(await assign({ ...other, reason: 'comprou para a irmã' })).toEqual([200, { id: orderId, userId: another }])
  expect((await order()).slice(before)).toMatchObject([
    {
      type: 'OrderAssigned',
      data: { userId: another, formerUserId: subscriber, by: 'administrator' },
      metadata: { reason: 'comprou para a irmã' },
    },
  ])
  const factsOf = async (userId: string) =>
    (await everythingIn(ports.store, 'subscription'))
      .filter(({ stream }) => stream === `subscription-${userId}`)
      .map(({ type }) => type)
  await until(async () => (await factsOf(another)).includes('AccessGranted'))
  expect((await factsOf(subscriber)).slice(-2)).toEqual(['AccessRevoked', 'OrderDetached'])
  expect(await assign({ userId: subscriber, reason: 'engano' })).toEqual([200, { id: orderId, userId: subscriber }])
  await until(async () => (await factsOf(subscriber)).at(-1) === 'AccessGranted')
})

it('a transaction is deleted once, with the reason beside it, and access stays', async () => {
  const revoked = async () =>
    (await everythingIn(ports.store, 'subscription')).filter(({ type }) => type === 'AccessRevoked').length
  const before = await revoked()
  const key = randomUUID()
  for (const repeated of [key, key, randomUUID()])
    expect(await send('DELETE', orderId, { reason: 'era um teste' }, admin, repeated)).toEqual([200, { id: orderId }])
  const hidden = (await order()).filter(({ type }) => type === 'OrderHidden')
  expect(hidden).toMatchObject([{ metadata: { reason: 'era um teste', actor: { kind: 'admin', id: admin } } }])
  expect(await revoked()).toBe(before)
  expect((await send('DELETE', orderId, {}, subscriber))[0]).toBe(403)
  expect(await send('DELETE', 'unknown', {})).toMatchObject([404, { type: 'transaction_not_found' }])
})

it('a transaction that was deleted is brought back once, with a reason, by administrators alone', async () => {
  const back = (id: string, body: object, user?: string, key?: string) =>
    send('POST', `${id}/restore`, body, user ?? admin, key)
  expect((await back(orderId, {}))[0]).toBe(422)
  expect((await back(orderId, { reason: 'era uma venda' }, subscriber))[0]).toBe(403)
  expect(await back('unknown', { reason: 'x' })).toMatchObject([404, { type: 'transaction_not_found' }])
  const key = randomUUID()
  for (const repeated of [key, key, randomUUID()])
    expect(await back(orderId, { reason: 'era uma venda' }, admin, repeated)).toEqual([200, { id: orderId }])
  const shown = (await order()).filter(({ type }) => type === 'OrderShown')
  expect(shown).toMatchObject([{ metadata: { reason: 'era uma venda', actor: { kind: 'admin', id: admin } } }])
  expect((await send('DELETE', orderId, { reason: 'era um teste, mesmo' }))[0]).toBe(200)
})

it('a purchase of a product that no plan has opens nothing until an administrator decides, with a reason, which plan it is', async () => {
  const unnamed = { order_id: 'without-plan', Product: { product_id: 'outside', product_name: 'Vendido por fora' } }
  const ofOrder = async (id: string) => (await order()).filter(({ stream }) => stream === `order-${id}`)
  const typesOf = async (id: string) => (await ofOrder(id)).map(({ type }) => type)
  const granted = async (id: string) =>
    (await everythingIn(ports.store, 'subscription')).findLast(
      ({ type, data }) => type === 'AccessGranted' && data.orderId === id,
    )?.data
  await report({ ...unnamed, subscription_id: 'outside-1' })
  await until(async () => (await typesOf('without-plan')).length === 1)
  expect((await ofOrder('without-plan'))[0]?.data).toMatchObject({ isWithoutPlan: true })
  await send('POST', 'without-plan/assign', { userId: subscriber })
  await until(async () =>
    (await everythingIn(ports.store, 'subscription')).some(
      ({ type, data }) => type === 'OrderAttached' && data.orderId === 'without-plan',
    ),
  )
  expect(await granted('without-plan')).toBeUndefined()

  const planId = await offerSamplePlan(ports, { planId: 'anual', productId: 'yearly', accessDays: 365 })
  const path = 'without-plan/plan'
  const decided = { planId, reason: 'vendido por telefone' }
  expect((await send('POST', path, decided, subscriber))[0]).toBe(403)
  expect(await send('POST', path, { planId })).toMatchObject([422, { errors: [{ field: 'reason' }] }])
  expect(await send('POST', path, { ...decided, planId: randomUUID() })).toMatchObject([
    404,
    { type: 'plan_not_found' },
  ])
  expect(await send('POST', 'unknown/plan', decided)).toMatchObject([404, { type: 'transaction_not_found' }])
  expect(await send('POST', `${orderId}/plan`, decided)).toMatchObject([404, { type: 'transaction_not_found' }])

  const key = randomUUID()
  for (const repeated of [key, key, randomUUID()])
    expect(await send('POST', path, decided, admin, repeated)).toEqual([200, { id: 'without-plan', planId }])
  const facts = (await ofOrder('without-plan')).filter(({ type }) => type === 'OrderPlanAssigned')
  expect(facts).toMatchObject([
    {
      data: { planId, planName: 'Profissional', productId: 'yearly', accessDays: 365, by: 'administrator' },
      metadata: { reason: 'vendido por telefone', actor: { kind: 'admin', id: admin } },
    },
  ])
  await until(() => granted('without-plan'))
  expect(await granted('without-plan')).toMatchObject({ productId: 'yearly' })

  await report({ ...unnamed, order_id: 'its-renewal', subscription_id: 'outside-1' })
  await until(() => granted('its-renewal'))
  expect((await ofOrder('its-renewal')).find(({ type }) => type === 'OrderPlanAssigned')?.data).toMatchObject({
    by: 'subscription',
    accessDays: 365,
  })
  await report({ order_id: 'with-plan' })
  await until(async () => (await typesOf('with-plan')).length > 0)
  expect(await send('POST', 'with-plan/plan', decided)).toMatchObject([409, { type: 'transaction_has_plan' }])
})
