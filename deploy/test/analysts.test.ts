import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from './give-role.ts'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const id = '4b3f9a3e-0000-4000-8000-000000000000'

let product: Product
let admin: Visitor
let analyst: Visitor
let analystId: string

const set = (isAnalyst: boolean) => admin.post(`/api/admin/users/${analystId}/analyst`, { isAnalyst })
const refusalOf = async (visitor: Visitor, path: string) =>
  ((await visitor.ask('GET', path)).body as { type?: string }).type

beforeAll(async () => {
  product = await startProduct()
  admin = await product.visitor().register()
  await makeAdmin(product, admin)
  analyst = await product.visitor().register()
  ;({ id: analystId } = await analyst.get<{ id: string }>('/api/auth/user'))
  await set(true)
  await until(async () => (await refusalOf(analyst, '/api/whatsapp/contacts')) === 'only_data')
}, 60_000)
afterAll(() => product?.stop())

/** What an analyst may: data, and the own account. */
const open = [
  'POST /api/auth/accept-terms',
  'POST /api/auth/send-confirmation',
  'PUT /api/auth/password',
  'POST /api/auth/erase-account',
  'GET /api/auth/user',
  'PUT /api/auth/user',
  'PUT /api/auth/photo',
  'DELETE /api/auth/photo',
  'GET /api/profile-photos/:id',
  'POST /api/exports',
  'GET /api/exports/:id',
  'GET /api/keys',
  'DELETE /api/keys/:id',
  'POST /api/analyst/keys',
]

describe('an analyst that an administrator made', () => {
  it('is refused every route but those of data and the own account', async () => {
    const others = (endpoints as readonly Endpoint[]).filter(
      (each) => !each.open && !each.key && !open.includes(`${each.method} ${each.path}`),
    )
    expect(others.length).toBeGreaterThan(100)
    for (const { method, path } of others) {
      const reply = await analyst.ask(method, path.replaceAll(/:\w+/g, id))
      expect([method, path, reply.status, (reply.body as { type?: string }).type]).toEqual([
        ...[method, path, 403, 'only_data'],
      ])
    }
  })

  it('reads data, and changes the own profile', async () => {
    expect((await analyst.ask('GET', '/api/streams/events')).status).toBe(200)
    const key = { name: 'Painel', scopes: ['streams'], expiresInDays: 30 }
    expect((await analyst.ask('POST', '/api/analyst/keys', key)).status).toBe(201)
    const profile = { firstName: 'Lia', lastName: 'Dados', email: analyst.email }
    expect((await analyst.ask('PUT', '/api/auth/user', profile)).status).toBe(200)
  })

  it('who administers too is kept from nothing', async () => {
    const { id: adminId } = await admin.get<{ id: string }>('/api/auth/user')
    await admin.post(`/api/admin/users/${adminId}/analyst`, { isAnalyst: true })
    await until(async () => (await admin.get<{ roles: string[] }>('/api/auth/user')).roles.includes('analyst'))
    expect((await admin.ask('GET', '/api/admin/summary')).status).toBe(200)
    expect((await admin.ask('GET', '/api/whatsapp/contacts')).status).toBe(200)
  })

  it('has the screens of a subscriber again once that is undone', async () => {
    await set(false)
    await until(async () => (await analyst.ask('GET', '/api/whatsapp/contacts')).status === 200)
    expect((await analyst.ask('POST', '/api/analyst/keys', {})).status).toBe(403)
  })
})
