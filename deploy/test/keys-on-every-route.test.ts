import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { platformScopes } from '@prosa/contracts/values/key-scopes'
import { apiKeys, keyStreamId } from '@prosa/product/keys/api-keys'
import { secretHashOf, writeKey } from '@prosa/product/keys/key-text'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveRole } from './give-role.ts'
import { allScopes, newKey, Program } from './key-holder.ts'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const dayMs = 24 * 60 * 60 * 1000
let aheadMs = 0
let product: Product
let ana: Visitor
let bia: Visitor

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + aheadMs).toISOString() }
  product = await startProduct({ clock })
  ana = await product.visitor().register()
  bia = await product.visitor().register()
}, 60_000)
afterAll(() => product?.stop())

const listed: readonly Endpoint[] = endpoints
const keyed = listed.filter((each) => each.key !== undefined)
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const pathOf = ({ path }: Endpoint) => path.replaceAll(/:\w+/g, randomUUID())

/** What a request with this header, and perhaps a session, is refused with on each route that takes a key. */
const refusals = async (authorization: string | undefined, cookie?: string, routes = keyed) => {
  const found: string[] = []
  for (const each of routes) {
    const response = await fetch(product.url + pathOf(each), {
      method: each.method,
      headers: { ...(authorization && { authorization }), ...(cookie && { cookie }) },
    })
    found.push(`${response.status} ${((await response.json()) as { type: string }).type}`)
  }
  return [...new Set(found)]
}
const idOf = async (visitor: Visitor) => (await visitor.get<{ id: string }>('/api/auth/user')).id

describe('a route that takes a key', () => {
  it('is listed with the scope that it needs; each scope for a tenant opens one', () => {
    expect(keyed.filter(({ path }) => path.startsWith('/api/v1/')).map(nameOf)).toHaveLength(9)
    const opened = new Set(keyed.map(({ key }) => key))
    expect(allScopes.filter((scope) => !opened.has(scope) && scope !== 'tables')).toEqual([])
    for (const each of listed.filter(({ path }) => path.startsWith('/api/v1/')))
      expect([nameOf(each), each.key === undefined, each.example === undefined]).toEqual([nameOf(each), false, false])
  })

  it('takes nothing else: no session, no forged key, none whose id is another account’s', async () => {
    const { key } = await newKey(ana)
    const forged = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    const keyOfBia = key.replace(/^prosa_.{43}/, (await newKey(bia)).key.slice(0, 49))
    for (const header of ['Bearer', 'Bearer prosa_', `Basic ${key}`, `Bearer ${forged}`, `Bearer ${keyOfBia}`])
      expect(await refusals(header, ana.cookie)).toEqual(['401 key_required'])
    const withoutBrowsers = keyed.filter((each) => !each.alsoInBrowser)
    expect(await refusals(undefined, ana.cookie, withoutBrowsers)).toEqual(['401 key_required'])
    expect(await refusals(undefined)).toEqual(['401 key_required'])
  })

  it('refuses a key without its scope, a revoked, an expired one', async () => {
    for (const each of keyed) {
      const { key } = await newKey(
        ana,
        allScopes.filter((scope) => scope !== each.key),
      )
      expect([nameOf(each), await refusals(`Bearer ${key}`, undefined, [each])]).toEqual([
        nameOf(each),
        ['403 key_not_allowed'],
      ])
    }
    const revoked = await newKey(ana)
    await ana.ask('DELETE', `/api/keys/${revoked.id}`)
    expect(await refusals(`Bearer ${revoked.key}`)).toEqual(['401 key_over'])
    const expired = await newKey(ana, allScopes, 1)
    aheadMs = dayMs + 1000
    expect(await refusals(`Bearer ${expired.key}`)).toEqual(['401 key_over'])
    aheadMs = 0
  })

  it('of one account shows and changes nothing of another’s', async () => {
    const { id } = await ana.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511988776655' })
    const program = new Program(product.url, (await newKey(bia)).key)
    expect((await program.ask<{ items: unknown[] }>('GET', '/api/v1/contacts')).body.items).toEqual([])
    for (const path of [`/api/v1/contacts/${id}`, `/api/v1/contacts/${id}/messages`])
      expect(await program.ask('GET', path)).toMatchObject({ status: 404, body: { type: 'contact_not_found' } })
    const sent = await program.ask('POST', '/api/v1/messages', { contactId: id, text: 'oi' })
    expect([sent.status, sent.body]).toMatchObject([404, { type: 'contact_not_found' }])
    const [flow] = await ana.get<{ id: string }[]>('/api/flows')
    const begun = await program.ask('POST', `/api/v1/flows/${flow?.id}/runs`, { contactId: id })
    expect([begun.status, begun.body]).toMatchObject([404, { type: 'flow_not_found' }])
  })

  it('gives an analyst’s key for all tenants no tenant’s actions, whatever scopes it has', async () => {
    await giveRole(product, bia, 'analyst')
    const wish = { name: 'Tudo', scopes: ['contacts:read'], expiresInDays: 1 }
    expect((await bia.ask('POST', '/api/analyst/keys', wish)).status).toBe(422)
    const [userId, keyId, secret] = [await idOf(bia), randomUUID(), 'ab'.repeat(32)]
    const about = { name: 'Tudo', reach: 'platform' as const, scopes: [...allScopes], withPersonal: false }
    const expiresAt = new Date(Date.now() + dayMs).toISOString()
    await apiKeys(product.ports).handle(
      keyStreamId(userId, keyId),
      { type: 'CreateApiKey', data: { ...about, secretHash: secretHashOf(secret), expiresAt } },
      {
        commandId: keyId,
        actor: { kind: 'user', id: userId },
        tenant: userId,
        causationId: keyId,
        correlationId: keyId,
      },
    )
    const key = writeKey({ userId, keyId, secret })
    const ofTenants = keyed.filter((each) => !(platformScopes as readonly unknown[]).includes(each.key))
    expect(await refusals(`Bearer ${key}`, undefined, ofTenants)).toEqual(['403 key_not_allowed'])
  })

  it('is no other: routes of the screens take no key', async () => {
    const { key } = await newKey(ana)
    const others = listed.filter((each) => each.key === undefined && !each.open)
    expect(await refusals(`Bearer ${key}`, undefined, others)).toEqual(['401 not_signed_in'])
  })

  it('refuses the key of an account that was erased, at once', async () => {
    const visitor = await product.visitor().register()
    const { key } = await newKey(visitor)
    const program = new Program(product.url, key)
    expect((await program.ask('GET', '/api/v1/contacts')).status).toBe(200)
    await visitor.post('/api/auth/erase-account', { password: visitor.password })
    expect(await refusals(`Bearer ${key}`)).toEqual(['401 key_over'])
  })
})
