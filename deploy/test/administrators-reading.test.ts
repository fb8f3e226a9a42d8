import { randomUUID } from 'node:crypto'
import type { Endpoint, Reads } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import type { Contact } from '@prosa/contracts/http/live-chat'
import type { Role } from '@prosa/contracts/values/role'
import { later } from '@prosa/kernel/clock'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { giveRole } from './give-role.ts'
import { reportPayment } from './kiwify-payment.ts'
import { type Product, startProduct } from './product.ts'
import { tracesOf } from './traces.ts'
import type { Reply, Visitor } from './visitor.ts'

const dayMs = 24 * 3600 * 1000
const person = { firstName: 'Bia-Lida', lastName: 'Souza-Lida', password: 'uma senha comprida' }
const shopNumber = '5511900000001'
const message = 'Oi, aqui é a cliente-lida'
const flowName = 'Fluxo-lido'
const question = { subject: 'Assunto-lido', message: 'Pergunta-lida' }

let product: Product
let tenantId: string
let personal: string[]
const ids: Record<string, string> = {}

beforeAll(async () => {
  product = await startProduct()
  const tenant = product.visitor()
  const email = 'bia.lida@example.com'
  ;({ id: tenantId } = await tenant.post<{ id: string }>('/api/auth/register', { ...person, email }))
  await tenant.link(product.whatsapp.addPhone(shopNumber, 'Floricultura'), 'Balcão')
  await product.whatsapp.addPhone('5511988776655', 'Cliente-Lida').sendText(shopNumber, message)
  const contact = await until<Contact | undefined>(async () => (await tenant.contacts('waiting'))[0])
  await tenant.post('/api/support/requests', question)
  await tenant.post('/api/flows', { name: flowName })
  await reportPayment(product, tenant, later(new Date().toISOString(), 40 * dayMs))
  personal = [
    ...[person.firstName, person.lastName, email, 'Cliente-Lida', '5511988776655', message, flowName],
    ...[question.subject, question.message, 'ana.exemplo@example.com', 'Ana Exemplo da Silva', '00000000001'],
  ]
  const reader = await newAdmin()
  const order = await until(async () => {
    const { items } = await reader.get<{ items: { id: string; owner: { id: string } | null }[] }>(
      '/api/admin/transactions',
    )
    return items.find(({ owner: tenant }) => tenant?.id === tenantId)
  })
  const { items: logs } = await reader.get<{ items: { id: string }[] }>('/api/admin/webhook-logs')
  const { items: requests } = await reader.get<{ items: { id: string }[] }>('/api/admin/support-requests')
  Object.assign(ids, { contact: contact.id, order: order.id, delivery: logs[0]?.id, request: requests[0]?.id })
}, 60_000)
afterAll(() => product?.stop())

const newAdmin = async (role: Role = 'admin'): Promise<Visitor> => {
  const visitor = await product.visitor().register()
  await giveRole(product, visitor, role)
  return visitor
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const ofAdmins = (endpoints as readonly Endpoint[]).filter(({ role }) => role !== undefined)

interface Attempt {
  /** Tenant of the data, if the request names one. */
  tenant?: () => string | null
  path?: (admin: Visitor) => Promise<string> | string
  body?: () => unknown
  /** Status once the purpose is stated; 200 by default. */
  status?: number
}

const exportOf = async (admin: Visitor) => {
  const { id } = await admin.post<{ id: string }>(`/api/admin/users/${tenantId}/exports`, {})
  return `/api/admin/users/${tenantId}/exports/${id}`
}
const ofTenant = () => tenantId
const lastDays = () => {
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
  return { from: day(2), to: day(-1) }
}
const [reason, nobody, noLink] = ['Só para o teste', randomUUID(), 'A'.repeat(22)]

const attempts: Record<string, Attempt> = {
  'GET /api/admin/summary': {},
  'GET /api/admin/users': {},
  'GET /api/admin/users.csv': {},
  'GET /api/admin/contacts': {},
  'GET /api/admin/contacts.csv': {},
  'GET /api/admin/messages': {},
  'GET /api/admin/messages.csv': {},
  'GET /api/admin/projects': {},
  'GET /api/admin/transactions': {},
  'GET /api/admin/transactions.csv': {},
  'GET /api/admin/transactions/:id/invoice': {
    tenant: ofTenant,
    path: () => `/api/admin/transactions/${ids.order}/invoice`,
  },
  'GET /api/admin/history': { tenant: ofTenant, path: () => `/api/admin/history?record=user:${tenantId}` },
  'GET /api/admin/contacts/:id/messages': {
    tenant: ofTenant,
    path: () => `/api/admin/contacts/${ids.contact}/messages?em=${new Date().toISOString()}`,
  },
  'GET /api/admin/records/:kind/:id': {
    tenant: ofTenant,
    path: () => `/api/admin/records/contact/${ids.contact}?em=${new Date().toISOString()}`,
  },
  'POST /api/admin/users/search': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/users.csv': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/contacts/search': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/contacts.csv': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/messages/search': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/messages.csv': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/transactions/search': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/transactions.csv': { body: () => ({ search: person.firstName }) },
  'POST /api/admin/history/search': { body: () => ({ text: person.firstName }) },
  'POST /api/admin/history/export': {
    tenant: ofTenant,
    path: () => '/api/admin/history/export',
    body: () => ({ record: `user:${tenantId}`, format: 'ndjson' }),
  },
  'GET /api/admin/curves': {},
  'POST /api/admin/plan-what-if': { body: () => ({ trialDays: 20, ...lastDays() }) },
  'GET /api/admin/erasures': {},
  'GET /api/admin/erasures/:id/rest': { path: () => `/api/admin/erasures/${nobody}/rest`, status: 404 },
  'POST /api/admin/transactions/:id/restore': {
    path: () => `/api/admin/transactions/${nobody}/restore`,
    body: () => ({ reason }),
    status: 404,
  },
  'GET /api/admin/refused-requests': { tenant: ofTenant, path: () => `/api/admin/refused-requests?user=${tenantId}` },
  'GET /api/admin/history/:kind/:id/why/:field': {
    tenant: ofTenant,
    path: () => `/api/admin/history/user/${tenantId}/why/access`,
  },
  'GET /api/admin/contacts/:id/history': {
    tenant: ofTenant,
    path: () => `/api/admin/contacts/${ids.contact}/history`,
  },
  'GET /api/admin/support-requests': {},
  'GET /api/admin/webhook-logs': {},
  'GET /api/admin/webhook-logs/:id': { tenant: ofTenant, path: () => `/api/admin/webhook-logs/${ids.delivery}` },
  'GET /api/admin/webhook-logs/:id/preview': {
    tenant: () => null,
    path: () => `/api/admin/webhook-logs/${ids.delivery}/preview`,
  },
  'POST /api/admin/users/:id/exports': {
    tenant: ofTenant,
    path: () => `/api/admin/users/${tenantId}/exports`,
    body: () => ({}),
    status: 201,
  },
  'GET /api/admin/users/:id/exports/:exportId': { tenant: ofTenant, path: exportOf },
  'GET /api/admin/parked-work': {},
  'GET /api/admin/read-models': {},
  'GET /api/admin/kiwify-plans': {},
  'GET /api/admin/kiwify-webhooks': {},
  'GET /api/admin/reading-purposes': {},
  'POST /api/admin/reading-purposes': { body: () => ({ tenantId: null, purpose: 'support' }) },
  'POST /api/admin/kiwify-plans': { body: () => ({}), status: 422 },
  'PUT /api/admin/kiwify-plans/:id': { path: () => `/api/admin/kiwify-plans/${nobody}`, body: () => ({}), status: 422 },
  'DELETE /api/admin/kiwify-plans/:id': { path: () => `/api/admin/kiwify-plans/${nobody}`, status: 404 },
  'POST /api/admin/parked-work/:id/retry': {
    path: () => `/api/admin/parked-work/${nobody}/retry`,
    body: () => ({}),
    status: 404,
  },
  'POST /api/admin/parked-work/:id/release': {
    path: () => `/api/admin/parked-work/${nobody}/release`,
    body: () => ({ reason }),
    status: 404,
  },
  'POST /api/admin/read-models/:name/rebuild': { path: () => '/api/admin/read-models/none/rebuild', status: 404 },
  'POST /api/admin/support-requests/:id/answer': { path: () => `/api/admin/support-requests/${ids.request}/answer` },
  'POST /api/admin/webhook-logs/:id/reprocess': {
    path: () => `/api/admin/webhook-logs/${ids.delivery}/reprocess`,
    body: () => ({ reason }),
    status: 202,
  },
  'POST /api/admin/transactions/:id/assign': {
    path: () => `/api/admin/transactions/${ids.order}/assign`,
    body: () => ({ userId: tenantId, reason }),
  },
  'POST /api/admin/users/:id/extend': {
    path: () => `/api/admin/users/${tenantId}/extend`,
    body: () => ({
      subscriptionEnd: later(new Date().toISOString(), 90 * dayMs),
      subscriptionStatus: 'active',
      reason,
    }),
  },
  'POST /api/admin/users/:id/status': {
    path: () => `/api/admin/users/${tenantId}/status`,
    body: () => ({ subscriptionStatus: 'cancelled', reason }),
  },
  'POST /api/admin/users/:id/remove-access': {
    path: () => `/api/admin/users/${tenantId}/remove-access`,
    body: () => ({ subscriptionStatus: 'expired', subscriptionEnd: new Date().toISOString(), reason }),
  },
  'POST /api/admin/users/:id/update-profile': {
    path: () => `/api/admin/users/${tenantId}/update-profile`,
    body: () => ({ firstName: person.firstName, reason }),
  },
  'POST /api/admin/users/:id/analyst': {
    path: () => `/api/admin/users/${tenantId}/analyst`,
    body: () => ({ isAnalyst: false, reason }),
  },
  'GET /api/admin/flow-links/:token': { path: () => `/api/admin/flow-links/${noLink}`, status: 404 },
  'POST /api/admin/flow-links/:token/block': {
    path: () => `/api/admin/flow-links/${noLink}/block`,
    body: () => ({ reason }),
    status: 404,
  },
  'POST /api/admin/flow-links/:token/unblock': {
    path: () => `/api/admin/flow-links/${noLink}/unblock`,
    body: () => ({ reason }),
    status: 404,
  },
  'POST /api/admin/transactions/:id/plan': {
    path: () => `/api/admin/transactions/${ids.order}/plan`,
    body: () => ({ planId: nobody, reason }),
    status: 404,
  },
  'GET /api/admin/refused-webhooks': {},
  'POST /api/analyst/keys': { body: () => ({ name: 'Painel', scopes: ['streams'], expiresInDays: 30 }), status: 201 },
  'POST /api/admin/buyers/erase': {
    body: () => ({ email: 'bia.lida@example.com', reason, confirmation: 'apagar' }),
    status: 409,
  },
  'DELETE /api/admin/transactions/:id': {
    path: () => `/api/admin/transactions/${nobody}`,
    body: () => ({ reason }),
    status: 404,
  },
  'DELETE /api/admin/users/:id': { path: () => `/api/admin/users/${nobody}`, body: () => ({ reason }), status: 404 },
}

const factsOf = async (admin: Visitor) => {
  const { id } = await admin.get<{ id: string }>('/api/auth/user')
  return (await everythingIn(product.ports.store, 'tenantReading')).filter(({ metadata }) => metadata.actor.id === id)
}
const textOf = ({ body }: Reply) => (typeof body === 'string' ? body : JSON.stringify(body))

it('tries every endpoint that needs a role, each of which declares what of tenants it shows', () => {
  expect(Object.keys(attempts).sort()).toEqual(ofAdmins.map(nameOf).sort())
})

/** A new administrator each, so that none has stated a purpose. */
const tryOut = async (endpoint: Endpoint) => {
  const { path, body, status = 200 } = attempts[nameOf(endpoint)] ?? {}
  const admin = await newAdmin(endpoint.role)
  const url = (await path?.(admin)) ?? endpoint.path
  await forget(admin)
  return { admin, expected: status, ask: () => admin.askOnce(endpoint.method, url, body?.()) }
}
const forgotten = new Map<Visitor, number>()
const forget = async (admin: Visitor) => void forgotten.set(admin, (await factsOf(admin)).length)
const newFactsOf = async (admin: Visitor) => (await factsOf(admin)).slice(forgotten.get(admin))

const showsSomething = ({ reads }: Endpoint): boolean => reads !== undefined && reads !== 'nothing'
const readsOf = ({ reads }: Endpoint) => reads as Exclude<Reads, 'nothing'>

it.each(ofAdmins.filter(showsSomething).map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s shows nothing before it was said why, and is recorded then, once',
  async (name, endpoint) => {
    const { admin, ask, expected } = await tryOut(endpoint)
    const tenant = attempts[name]?.tenant?.() ?? null
    const isAskedBefore = name === 'GET /api/admin/users/:id/exports/:exportId'
    if (!isAskedBefore) {
      const refused = await ask()
      if (endpoint.method === 'GET') {
        const url = (await attempts[name]?.path?.(admin)) ?? endpoint.path
        const headers = { cookie: admin.cookie ?? '' }
        expect([404, 428]).toContain((await fetch(product.url + url, { method: 'HEAD', headers })).status)
        expect((await admin.askOnce('GET', url, undefined, { 'if-none-match': '*' })).status).toBe(428)
      }
      expect(refused).toMatchObject({ status: 428, body: { type: 'purpose_needed', tenantId: tenant } })
      expect(tracesOf(personal, textOf(refused))).toEqual([])
      expect(await newFactsOf(admin)).toEqual([])
      const reply = await admin.ask('POST', '/api/admin/reading-purposes', { tenantId: tenant, purpose: 'legal' })
      expect(reply.status).toBe(200)
    }
    for (const _ of ['once', 'again']) expect((await ask()).status).toBe(expected)
    const { what, of } = readsOf(endpoint)
    const facts = isAskedBefore ? await factsOf(admin) : await newFactsOf(admin)
    expect(facts.map(({ type }) => type)).toEqual(['ReadingPurposeStated', 'PersonalDataRead'])
    const [purpose, read] = facts
    expect(read).toMatchObject({
      data: { tenantId: tenant, what, purposeId: purpose?.id, record: of === 'all' ? null : expect.any(String) },
      metadata: { tenant, actor: { kind: 'admin' } },
    })
  },
)

it.each(
  ofAdmins.filter((endpoint) => !showsSomething(endpoint)).map((endpoint) => [nameOf(endpoint), endpoint] as const),
)('%s needs no reason, and shows nothing of anybody', async (name, endpoint) => {
  const { admin, ask, expected } = await tryOut(endpoint)
  const reply = await ask()
  expect([reply.status, textOf(reply)]).toEqual([expected, expect.any(String)])
  expect(tracesOf(personal, textOf(reply))).toEqual([])
  const stated = name === 'POST /api/admin/reading-purposes' ? ['ReadingPurposeStated'] : []
  expect((await newFactsOf(admin)).map(({ type }) => type)).toEqual(stated)
})
