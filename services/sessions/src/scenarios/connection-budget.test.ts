import { randomUUID } from 'node:crypto'
import { parseStream } from '@prosa/contracts/streams'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { defaultBudgets } from '@prosa/product/budgets'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readQrCode } from '../testing/read-qr-code.ts'
import { openShop, type Shop } from '../testing/shop.ts'
import type { SessionTimings } from '../timings.ts'

const requests = shortOrLong(600, 3000)
/** More would wait longer for a database connection than requests do. */
const atOnce = 500

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const withBudgets = async (changes: Partial<Shop['ports']['budgets']>, timings: Partial<SessionTimings> = {}) => {
  const before = { ...shop.ports.budgets }
  Object.assign(shop.ports.budgets, defaultBudgets, changes)
  const host = await shop.start(timings)
  shop.user = randomUUID()
  onTestFinished(async () => {
    for (const { type, stream, metadata } of await everythingIn(shop.ports.store, 'connection'))
      if (type === 'ConnectionAdded')
        await shop.call('DELETE', `/${parseStream(stream).id}`, undefined, metadata.tenant)
    await host.stop()
    Object.assign(shop.ports.budgets, before)
  })
  return host
}
const add = (name = 'Balcão') => shop.call('POST', '', { name })
const typeOf = async (reply: ReturnType<typeof add>) => (await reply).body.type

describe('one account', () => {
  it(`that asks for ${requests} connections at once has a handful of handshakes under way, and learns what to do`, async () => {
    const host = await withBudgets({})
    const { linkingPerTenant } = shop.ports.budgets
    const opened = shop.server.socketsOpened
    const cookies = { [sessionCookie]: (await shop.ports.browserSessions.issue(shop.user)).token }
    const ask = async (name: string) => {
      const url = '/api/whatsapp/connections'
      const reply = await host.app.inject({ method: 'POST', url, cookies, payload: { name } })
      return { status: reply.statusCode, body: reply.json(), waitSeconds: Number(reply.headers['retry-after']) }
    }
    const replies: Awaited<ReturnType<typeof ask>>[] = []
    let asked = 0
    const client = async () => {
      while (asked < requests) replies.push(await ask(`Loja ${asked++}`))
    }
    await Promise.all(Array.from({ length: atOnce }, client))
    expect(replies).toHaveLength(requests)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 429]))
    const accepted = replies.filter(({ status }) => status === 201)
    expect(accepted).toHaveLength(linkingPerTenant)
    for (const { body } of accepted) await shop.picture(body.id)
    expect(shop.server.socketsOpened - opened).toBe(linkingPerTenant)
    const refused = replies.find(({ status }) => status !== 201)
    expect(refused).toMatchObject({ status: 429, body: { type: 'too_many_linking' } })
    expect(refused?.waitSeconds).toBeGreaterThan(0)
    expect(refused?.waitSeconds).toBeLessThanOrEqual(120)
    for (const { body } of accepted) await shop.call('DELETE', `/${body.id}`)
  })

  it('can have another attempt as soon as one of its own is over, refreshed ones included', async () => {
    await withBudgets({ linkingPerTenant: 2 })
    const [one, two] = [await shop.add(), await shop.add()]
    expect(await typeOf(add())).toBe('too_many_linking')
    expect((await shop.call('POST', `/${one}/refresh`)).status).toBe(200)
    await shop.call('POST', `/${two}/disconnect`)
    const three = await shop.add()
    expect((await shop.call('POST', `/${two}/refresh`)).body.type).toBe('too_many_linking')
    await shop.call('DELETE', `/${three}`)
    expect((await shop.call('POST', `/${two}/refresh`)).status).toBe(200)
    for (const id of [one, two]) await shop.call('DELETE', `/${id}`)
  })

  it('has no more connections than it may, linked or not, and one more for each that it removes', async () => {
    await withBudgets({ connectionsPerTenant: 2 })
    const linked = await shop.link()
    const idle = await shop.add()
    await shop.call('POST', `/${idle}/disconnect`)
    const reply = await add()
    expect(reply).toMatchObject({ status: 409, body: { type: 'too_many_connections' } })
    expect((await shop.request('POST', '/api/whatsapp/create-session', { name: 'a' })).body.type).toBe(
      'too_many_connections',
    )
    expect((await shop.request('POST', '/api/whatsapp/quick-session', { name: 'a' })).body.type).toBe(
      'too_many_connections',
    )
    expect((await shop.request('POST', '/api/whatsapp/quick-session', { name: 'Balcão' })).status).not.toBe(429)
    await shop.call('DELETE', `/${linked.connectionId}`)
    expect((await add()).status).toBe(201)
  })

  it('has no more new ones than its plan allows, however many are asked for at once; those that are there stay', async () => {
    await withBudgets({})
    const before = { ...shop.ports.entitlements }
    let now = '2026-11-20T12:00:00.000Z'
    const entitlements = memoryEntitlements(
      { now: () => now },
      { afterEnd: 'ended', limits: { ...defaultPlanRules.limits, pro: { messages: null, connections: 2 } } },
    )
    Object.assign(shop.ports.entitlements, entitlements)
    onTestFinished(() => void Object.assign(shop.ports.entitlements, before))
    const linked = await shop.link()
    const replies = await Promise.all([add(), add(), add()])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 402, 402])
    expect(replies.find(({ status }) => status === 402)?.body).toMatchObject({
      type: 'connection_limit_reached',
      title: 'Seu plano permite 2 conexões. Exclua uma que não usa mais ou escolha um plano maior.',
    })
    entitlements.change(shop.user, { endsAt: '2026-11-20T12:00:00.000Z' })
    now = '2026-11-23T12:00:00.000Z'
    await shop.call('POST', `/${linked.connectionId}/disconnect`)
    expect(await typeOf(add())).toBe('subscription_ended')
    expect((await shop.request('POST', '/api/whatsapp/create-session', { name: 'a' })).status).toBe(402)
    expect((await shop.request('POST', '/api/whatsapp/quick-session', { name: 'a' })).status).toBe(402)
    expect((await shop.call('POST', `/${linked.connectionId}/refresh`)).status).toBe(200)
  })

  it('may begin again when nobody scanned in time', async () => {
    await withBudgets({ linkingPerTenant: 1 })
    const id = await shop.add()
    expect(await typeOf(add())).toBe('too_many_linking')
    await shop.ports.pool.query(
      `update connection_place set linking_until = now() - interval '1 second' where connection_id = $1`,
      [id],
    )
    expect((await add()).status).toBe(201)
  })

  it('does not lose a place for good when a process died between taking it and adding the connection', async () => {
    await withBudgets({ connectionsPerTenant: 1 })
    const reserved = `insert into connection_place (connection_id, owner, reserved_until) values ($1, $2, now() + $3::interval)`
    await shop.ports.pool.query(reserved, [randomUUID(), shop.user, '1 minute'])
    expect(await typeOf(add())).toBe('too_many_connections')
    await shop.ports.pool.query(
      `update connection_place set reserved_until = now() - interval '1 second' where owner = $1`,
      [shop.user],
    )
    expect((await add()).status).toBe(201)
  })
})

describe('one process', () => {
  it('opens no more handshakes than it may: the others wait, record that, and go on when it is their turn', async () => {
    await withBudgets({ linkingPerProcess: 1 })
    const first = await shop.add()
    const code = await shop.picture(first)
    const second = await shop.add()
    const has = (id: string, type: string) => until(async () => (await shop.connectionEvents(id)).includes(type))
    const waits = (id: string) => has(id, 'LinkingDelayed')
    await waits(second)
    shop.user = randomUUID()
    const other = await shop.add()
    await waits(other)
    expect(await shop.metrics()).toMatchObject({ prosa_whatsapp_lines_waiting: 2 })
    const opened = shop.server.socketsOpened
    await shop.phone.scan(readQrCode(code))
    // Its picture is visible just before the event is stored.
    await has(second, 'QrCodeIssued')
    expect(await shop.connectionEvents(second)).toEqual([
      'ConnectionAdded',
      'LinkingStarted',
      'LinkingDelayed',
      'LinkingStarted',
      'QrCodeIssued',
    ])
    expect(await shop.connectionEvents(other)).not.toContain('QrCodeIssued')
    await shop.call('DELETE', `/${other}`)
    await until(async () => (await shop.metrics()).prosa_whatsapp_lines_waiting === 0)
    // After linking WhatsApp requests a second socket.
    expect(shop.server.socketsOpened - opened).toBeLessThanOrEqual(2)
  })

  it('lets an attempt that got no turn end like one that nobody scanned', async () => {
    await withBudgets({ linkingPerProcess: 0 }, { linkingWindow: 500 })
    const id = await shop.add()
    await until(async () => (await shop.connectionEvents(id)).at(-1) === 'LinkingExpired')
    expect(await shop.connectionEvents(id)).not.toContain('QrCodeIssued')
    await until(async () => (await shop.metrics()).prosa_whatsapp_lines_waiting === 0)
  })
})
