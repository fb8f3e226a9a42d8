import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { AdminTransaction, Transaction } from '@prosa/contracts/http/accounts/transactions'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAccountId } from '../account/queries.ts'
import { testProjections } from '../testing/test-projections.ts'

const [ana, bia, admin] = [idOf('ana'), idOf('bia'), idOf('admin')]

let prosa: Awaited<ReturnType<typeof testProjections>>
let latest = ''

const record = async (tenant: string | null, stream: string, event: AnyEvent) => {
  latest = await prosa.append(tenant, stream, event)
}
const report = (id: string, moment: number, more: object = {}) =>
  record(null, `order-${id}`, {
    type: 'OrderReported',
    data: {
      deliveryId: 'd',
      kind: 'order_approved',
      orderRef: id.toUpperCase(),
      subscriptionId: null,
      productId: null,
      productName: 'Prosa Profissional',
      amountCents: 9700,
      paymentMethod: 'pix',
      occurredAt: at(moment),
      accessUntil: null,
      accessDays: 30,
      token: null,
      buyerKey: null,
      buyerName: 'José Conceição',
      buyerEmail: 'jose@example.com',
      buyerDocument: null,
      ...more,
    },
  })
const assign = (id: string, userId: string) =>
  record(null, `order-${id}`, { type: 'OrderAssigned', data: { userId, by: 'email' } })
const register = (userId: string, firstName: string) =>
  record(userId, `user-${userId}`, {
    type: 'UserRegistered',
    data: { firstName, lastName: 'Lima', email: `${firstName.toLowerCase()}@lima.com.br`, credentialId: idOf('c') },
  })
const own = async (user: string) =>
  (await prosa.get('/api/kiwify/transactions', user, latest)).body.map(({ id }: Transaction) => id)
const all = async (query = ''): Promise<AdminTransaction[]> =>
  (await prosa.get(`/api/admin/transactions${query}`, admin, latest)).body.items
const allFound = async (search: string): Promise<AdminTransaction[]> =>
  (await prosa.post('/api/admin/transactions/search', { search }, admin, latest)).body.items
const idsFound = async (search: string) => (await allFound(search)).map(({ id }) => id)
const idsOf = async (query?: string) => (await all(query)).map(({ id }) => id)

beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
  await register(ana, 'Ana')
  await register(admin, 'Adele')
  await record(admin, `user-${admin}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await prosa.ports.readModels.reached(['account'], latest as never, 2000)
})
afterAll(() => prosa.stop())

describe('transactions', () => {
  it('are the account’s own, newest first, without what only administrators may see', async () => {
    await report('first', 10)
    await report('second', 20, { kind: 'pix_created', amountCents: null })
    await report('other', 30)
    for (const id of ['first', 'second']) await assign(id, ana)
    await assign('other', bia)
    const { body } = await prosa.get('/api/kiwify/transactions', ana, latest)
    expect(body).toEqual([
      {
        id: 'second',
        transactionId: 'SECOND',
        createdAt: at(20),
        event: 'pix_gerado',
        amount: null,
        productName: 'Prosa Profissional',
        planName: null,
        status: 'pending',
        paymentMethod: 'pix',
      },
      expect.objectContaining({ id: 'first', event: 'compra_aprovada', amount: 9700, status: 'approved' }),
    ])
    expect(await own(bia)).toEqual(['other'])
    expect((await prosa.get('/api/kiwify/transactions')).status).toBe(401)
  })

  it('are read anew after a report, although orders belong to no tenant', async () => {
    const { headers } = await prosa.get('/api/kiwify/transactions', ana, latest)
    const again = { 'if-none-match': String(headers.etag) }
    expect((await prosa.get('/api/kiwify/transactions', ana, latest, again)).status).toBe(304)
    await report('second', 20, { kind: 'order_approved' })
    const { status, body } = await prosa.get('/api/kiwify/transactions', ana, latest, again)
    expect([status, body[0].status]).toEqual([200, 'approved'])
  })

  it('are shown to administrators with buyer and account, and to nobody else', async () => {
    await report('unclaimed', 40, { buyerName: 'Rita', buyerEmail: 'rita@example.com', productName: 'Empresarial' })
    expect((await all()).map(({ id, owner: tenant, buyerName }) => [id, tenant?.name, buyerName])).toEqual([
      ['unclaimed', undefined, 'Rita'],
      ['other', null, 'José Conceição'],
      ['second', 'Ana Lima', 'José Conceição'],
      ['first', 'Ana Lima', 'José Conceição'],
    ])
    expect(await idsOf('?unclaimed=true')).toEqual(['unclaimed'])
    expect(await idsFound('conceicao')).toEqual(['other', 'second', 'first'])
    expect(await idsFound('SECOND')).toEqual(['second'])
    expect(await idsFound('empresarial')).toEqual(['unclaimed'])
    const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(admin)).token}`
    const url = '/api/admin/transactions.csv?unclaimed=true'
    const file = await prosa.app.inject({ method: 'GET', url, headers: { cookie } })
    expect(file.body.split('\n').slice(1, 3)).toEqual([
      `unclaimed;UNCLAIMED;${at(40)};compra_aprovada;Empresarial;;9700;Aprovado;pix;Rita;rita@example.com;;;;`,
      '',
    ])
    await record(null, 'order-unclaimed', {
      type: 'ErasedBuyerCharged',
      data: { orderRef: 'UNCLAIMED', subscriptionId: null, amountCents: 9700 },
    })
    expect((await all()).filter(({ isErasedBuyerCharged }) => isErasedBuyerCharged).map(({ id }) => id)).toEqual([
      'unclaimed',
    ])
    const marked = await prosa.app.inject({ method: 'GET', url, headers: { cookie } })
    expect(marked.body.split('\n')[1]).toMatch(/;rita@example\.com;;;sim;$/)
    expect((await prosa.get('/api/admin/transactions', ana)).status).toBe(403)
    expect((await prosa.get('/api/admin/transactions')).status).toBe(401)
  })

  it('of a product that no plan has are without a plan, in list, file and filter, until it is decided', async () => {
    const [sold, named] = ['sold-outside', 'of-a-plan'] as const
    await report(sold, 50, { isWithoutPlan: true, productId: 'k9', productName: 'Vendido por fora' })
    await report(named, 51, { productId: 'k1', planName: 'Empresarial' })
    await report('of-before', 52, { productId: 'k1' })
    const refused = { kind: 'order_rejected', isWithoutPlan: true, productId: 'k9' } as const
    await report('refused', 53, refused)
    await record(null, `plan-${idOf('plan')}`, {
      type: 'PlanCreated',
      data: {
        ...{ planId: 'anual', planName: 'Anual', productId: 'k1', productName: 'Anual', accessDays: 365 },
        ...{ price: 'R$ 970,00', description: '', purchaseUrl: null },
      },
    })
    const shownOf = async (query?: string) =>
      (await all(query)).map(({ id, planName, lacksPlan, status }) => [id, planName, lacksPlan, status])
    expect((await shownOf()).slice(0, 4)).toEqual([
      ['refused', null, true, 'declined'],
      ['of-before', 'Anual', false, 'approved'],
      [named, 'Empresarial', false, 'approved'],
      [sold, null, true, 'approved'],
    ])
    expect(await idsOf('?withoutPlan=true')).toEqual(['refused', sold])
    const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(admin)).token}`
    const url = '/api/admin/transactions.csv?withoutPlan=true'
    const lines = (await prosa.app.inject({ method: 'GET', url, headers: { cookie } })).body.split('\n')
    expect(lines[1]).toContain(';compra_recusada;Prosa Profissional;Sem plano;9700;Recusado;')
    expect(lines[2]).toContain(';Vendido por fora;Sem plano;')

    const decided = {
      planId: idOf('plan'),
      planName: 'Anual',
      productId: 'k1',
      accessDays: 365,
      by: 'administrator',
    } as const
    await record(null, `order-${sold}`, { type: 'OrderPlanAssigned', data: decided })
    await report(sold, 50, { isWithoutPlan: true, productId: 'k9', kind: 'subscription_renewed' })
    expect((await shownOf()).find(([id]) => id === sold)).toEqual([sold, 'Anual', false, 'approved'])
    expect(await idsOf('?withoutPlan=true')).toEqual(['refused'])
    await report('refused', 53, { ...refused, isWithoutPlan: undefined, kind: 'order_approved' })
    expect(await idsOf('?withoutPlan=true')).toEqual([])
    for (const id of ['refused', 'of-before', named, sold])
      await record(null, `order-${id}`, { type: 'OrderHidden', data: {} })
  })

  it('have a receipt, for whoever has them and for administrators', async () => {
    const receipt = async (path: string, user: string) => {
      const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
      const { statusCode, headers, rawPayload } = await prosa.app.inject({
        method: 'GET',
        url: path,
        headers: { cookie },
      })
      return [statusCode, headers['content-type'], rawPayload.subarray(0, 5).toString()]
    }
    const pdf = [200, 'application/pdf', '%PDF-']
    expect(await receipt('/api/kiwify/transactions/first/invoice', ana)).toEqual(pdf)
    expect((await receipt('/api/kiwify/transactions/first/invoice', bia))[0]).toBe(404)
    expect((await receipt('/api/kiwify/transactions/unclaimed/invoice', ana))[0]).toBe(404)
    expect(await receipt('/api/admin/transactions/unclaimed/invoice', admin)).toEqual(pdf)
  })

  it('that an administrator deleted are in no list', async () => {
    await record(null, 'order-first', { type: 'OrderHidden', data: {} })
    await report('first', 10, { kind: 'order_refunded' })
    expect(await own(ana)).toEqual(['second'])
    expect(await idsFound('first')).toEqual([])
    expect((await prosa.get('/api/admin/transactions/first/invoice', admin)).body.type).toBe('transaction_not_found')
  })

  it('name nobody whose data were erased', async () => {
    await record(null, 'order-second', { type: 'OrderBuyerErased', data: {} })
    await record(ana, `user-${ana}`, { type: 'UserErased', data: {} })
    await prosa.ports.readModels.reached(['account'], latest as never, 2000)
    const [found] = await allFound('second')
    expect(found).toMatchObject({ owner: { id: ana, name: null, email: null }, buyerName: '[apagado]' })
  })

  it('come page by page, each once', async () => {
    const caio = idOf('caio')
    for (let index = 0; index < 60; index++) {
      await report(`many-${index}`, 100 + (index % 7))
      await assign(`many-${index}`, caio)
    }
    const first = await prosa.get('/api/kiwify/transactions', caio, latest)
    const next = await prosa.get(`/api/kiwify/transactions?cursor=${first.headers['prosa-next-cursor']}`, caio)
    expect([first.body.length, next.body.length, next.headers['prosa-next-cursor']]).toEqual([50, 10, undefined])
    expect(new Set([...first.body, ...next.body].map(({ id }) => id)).size).toBe(60)

    const page = await prosa.post('/api/admin/transactions/search', { search: 'many' }, admin, latest)
    const rest = await prosa.post(
      '/api/admin/transactions/search',
      { search: 'many', cursor: page.body.nextCursor },
      admin,
    )
    expect([page.body.items.length, rest.body.items.length, rest.body.nextCursor]).toEqual([50, 10, null])
    expect((await prosa.get('/api/admin/transactions?cursor=x', admin)).status).toBe(422)
  })
})

it('an account is found by its id or its address', async () => {
  const { pool } = prosa.ports
  expect(await findAccountId(pool, { email: 'adele@lima.com.br' })).toBe(admin)
  expect(await findAccountId(pool, { userId: admin })).toBe(admin)
  expect(await findAccountId(pool, { email: 'ninguem@lima.com.br' })).toBeUndefined()
})
