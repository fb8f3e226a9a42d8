import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plan, PlanBody } from '@prosa/contracts/http/accounts/plans'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'

const [admin, subscriber] = [randomUUID(), randomUUID()]
const kiwifyTokens = { approved: ['the token'], refunded: [] }
const cookies = new Map<string, string>()
let ports: TestPorts
let prosa: Host

beforeAll(async () => {
  ports = await testPorts({ roles: { of: async (userId) => (userId === admin ? ['admin'] : ['analyst']) } })
  for (const user of [admin, subscriber])
    cookies.set(user, `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`)
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [] }
  prosa = await host(
    [billing({ kiwifyTokens, deliveryRetentionDays: 180, findAccountId: async () => undefined })],
    ports,
    options,
  )
})
afterAll(async () => {
  await prosa.stop()
  await ports.close()
})

const path = '/api/admin/kiwify-plans'
const ask = async <T = Plan>(method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, key?: string) => {
  const headers = { cookie: cookies.get(admin), ...(key && { 'idempotency-key': key }) }
  const reply = await prosa.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json<T>(), correlationId: String(reply.headers['x-correlation-id']) }
}
let made = 0
const wish = (more: object = {}): PlanBody => {
  const planId = `plano-${++made}`
  return { planId, planName: 'Profissional', productId: `produto-${made}`, productName: 'Prosa Profissional', ...more }
}
const ofPlan = async ({ id }: { id: string }) =>
  (await everythingIn(ports.store, 'plan')).filter(({ stream }) => stream === `plan-${id}`)
interface Refused {
  type: string
  title: string
  errors: { field: string; message: string }[]
}
const refusal = async (body: object) => {
  const reply = await ask<Refused>('POST', path, body)
  const { title, errors } = reply.body
  return [reply.status, title, errors.map(({ field, message }) => `${field}: ${message}`)]
}

describe('a plan', () => {
  it('is created with what was left out filled in, changed and deleted by an administrator, who may give a reason', async () => {
    const body = wish()
    const created = await ask('POST', path, { ...body, accessDays: 'trinta', price: ' ', purchaseUrl: '' })
    const { planId, planName, productId, productName } = body
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      ...{ id: created.body.id, planId, planName, productId, productName },
      ...{ accessDays: 30, price: 'Consulte', description: '', purchaseUrl: null },
    })
    const link = 'https://pay.kiwify.com.br/AbC?utm_source=prosa'
    const changes = {
      ...body,
      accessDays: '365',
      price: 'R$ 970,00 por ano',
      purchaseUrl: link,
      reason: ' Plano anual ',
    }
    const changed = await ask('PUT', `${path}/${created.body.id}`, changes)
    expect(changed.body).toMatchObject({ accessDays: 365, price: 'R$ 970,00 por ano', purchaseUrl: link })
    expect((await ask('DELETE', `${path}/${created.body.id}`, { reason: 'Saiu de linha' })).body).toEqual({
      id: created.body.id,
    })
    const [first, second, third] = await ofPlan(created.body)
    expect(first).toMatchObject({ type: 'PlanCreated', data: { accessDays: 30 } })
    expect(second).toMatchObject({
      type: 'PlanRevised',
      data: { accessDays: 365 },
      metadata: { reason: 'Plano anual' },
    })
    expect(third).toMatchObject({
      type: 'PlanDeleted',
      data: { planId, planName },
      metadata: { actor: { kind: 'admin', id: admin }, tenant: null, reason: 'Saiu de linha' },
    })
    expect((await ask<Refused>('PUT', `${path}/${created.body.id}`, body)).body.type).toBe('plan_not_found')
    expect((await ask<Refused>('DELETE', `${path}/${randomUUID()}`)).body.type).toBe('plan_not_found')
  })

  it('with a gap, or with something that cannot be, is refused beside each field at fault', async () => {
    const gap = 'Por favor, preencha todos os campos obrigatórios'
    expect(await refusal({})).toEqual([
      422,
      gap,
      ['planId', 'planName', 'productId', 'productName'].map((field) => `${field}: ${gap}`),
    ])
    expect(await refusal(wish({ planName: ' ' }))).toEqual([422, gap, [`planName: ${gap}`]])
    const days = 'accessDays: Informe de 1 a 3.650 dias, sem frações.'
    for (const accessDays of [0, -1, 1.5, 4000, '0'])
      expect(await refusal(wish({ accessDays }))).toEqual([422, expect.any(String), expect.arrayContaining([days])])
    for (const purchaseUrl of [
      'javascript:alert(1)',
      'http://pay.kiwify.com.br/a',
      'https://',
      'https://ana:senha@pay.kiwify.com.br',
      '//pay.kiwify.com.br',
      ' data:text/html,a',
    ])
      expect(await refusal(wish({ purchaseUrl }))).toEqual([
        422,
        'Alguns campos precisam de atenção.',
        ['purchaseUrl: Informe um endereço que comece com https://.'],
      ])
    expect(await refusal(wish({ description: 'a'.repeat(501) }))).toMatchObject([422, {}, [/description/]])
  })

  it('has its id for itself: of many who create it at once one succeeds', async () => {
    const body = wish()
    const replies = await Promise.all(
      ['', 'outro ', 'terceiro '].map((name) => ask('POST', path, { ...body, planName: `${name}plano` })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await refusal({ ...body, planId: String(body.planId).toUpperCase() })).toEqual([
      409,
      'Já existe um plano com este ID.',
      ['planId: Já existe um plano com este ID.'],
    ])
    const [created] = replies.filter(({ status }) => status === 201)
    expect(await ofPlan({ id: String(created?.body.id) })).toHaveLength(1)
    const moved = await ask<Refused>('PUT', `${path}/${created?.body.id}`, wish())
    expect([moved.status, moved.body.type]).toEqual([409, 'plan_id_fixed'])
  })

  it('is changed once by a command that is repeated, also when the reply was lost', async () => {
    const body = wish()
    const created = await ask('POST', path, body, 'create')
    const url = `${path}/${created.body.id}`
    const commands = [
      () => ask('POST', path, body, 'create'),
      () => ask('PUT', url, { ...body, price: 'R$ 1,00' }, 'revise'),
      () => ask('DELETE', url, undefined, 'delete'),
    ]
    for (const command of commands) {
      const first = await command()
      const before = await ofPlan(created.body)
      expect((await command()).body).toEqual(first.body)
      await ports.pool.query('update idempotent_request set reply = null, claimed_until = null')
      const again = await command()
      expect([again.status, await ofPlan(created.body)]).toEqual([first.status, before])
    }
    expect((await ofPlan(created.body)).map(({ type }) => type)).toEqual(['PlanCreated', 'PlanRevised', 'PlanDeleted'])
  })

  it('is nobody else’s business', async () => {
    const id = randomUUID()
    for (const [method, url] of [
      ['POST', path],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
    ] as const)
      for (const [cookie, status] of [
        [cookies.get(subscriber), 403],
        ['', 401],
      ] as const)
        expect((await prosa.app.inject({ method, url, headers: { cookie }, payload: {} })).statusCode).toBe(status)
  })
})

describe('an order', () => {
  const sample = JSON.parse(
    readFileSync(new URL('../kiwify/samples/order-approved-card.json', import.meta.url), 'utf8'),
  )
  let orders = 0
  const daysOfOrder = async (productId: string) => {
    const Product = { product_id: productId, product_name: 'Prosa' }
    const order_id = `order-${++orders}`
    const body = JSON.stringify({ ...sample, order_id, Product, Subscription: null, subscription_id: null })
    const signature = createHmac('sha1', 'the token').update(body).digest('hex')
    const url = `/kiwify/payment/approved?signature=${signature}`
    const headers = { 'content-type': 'application/json' }
    expect((await prosa.app.inject({ method: 'POST', url, headers, payload: body })).statusCode).toBe(200)
    const reported = await until(async () =>
      (await everythingIn(ports.store, 'order')).find(({ stream }) => stream === `order-${order_id}`),
    )
    return (reported.data as { accessDays: number }).accessDays
  }

  it('gives the days that the plan of its product had when it was reported, also after the plan is gone', async () => {
    const body = wish({ accessDays: 90 })
    const { id } = (await ask('POST', path, body)).body
    expect(await daysOfOrder(body.productId)).toBe(90)
    await ask('PUT', `${path}/${id}`, { ...body, accessDays: 365 })
    expect(await daysOfOrder(body.productId)).toBe(365)
    await ask('DELETE', `${path}/${id}`)
    expect(await daysOfOrder(body.productId)).toBe(365)
    await ask('POST', path, wish({ productId: body.productId, accessDays: 7 }))
    expect(await daysOfOrder(body.productId)).toBe(7)
    expect(await daysOfOrder('a product without a plan')).toBe(30)
  })
})
