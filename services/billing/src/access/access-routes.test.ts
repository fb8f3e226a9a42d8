import { randomUUID } from 'node:crypto'
import type { Role } from '@prosa/contracts/values/role'
import { later } from '@prosa/kernel/clock'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { billingHandlers } from '../handlers.ts'

const day = 24 * 3600 * 1000
const started = '2026-11-21T12:00:00.000Z'
const trialEnd = later(started, 10 * day)
const [admin, analyst, subscriber] = [randomUUID(), randomUUID(), randomUUID()]
const roles: Record<string, Role[]> = { [admin]: ['admin'], [analyst]: ['analyst'] }

let ports: TestPorts
let prosa: Host
const time = { now: started }
beforeAll(async () => {
  ports = await testPorts({
    clock: { now: () => time.now },
    roles: { of: async (userId) => roles[userId] ?? [] },
  })
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 1 }
  prosa = await host(
    [
      billing({
        kiwifyTokens: { approved: [], refunded: [] },
        deliveryRetentionDays: 180,
        findAccountId: async () => undefined,
      }),
    ],
    ports,
    options,
  )
})
afterAll(async () => {
  await prosa.stop()
  await ports.close()
})

const newUser = async (id: string = randomUUID()) => {
  const actor = { kind: 'system', id: 'test' } as const
  const context = { commandId: randomUUID(), actor, tenant: id, causationId: 'test', correlationId: 'test' }
  await billingHandlers(ports).subscriptions(id, { type: 'StartTrial', data: { endsAt: trialEnd } }, context)
  return id
}
const post = async (path: string, payload: object, user: string | undefined = admin, key: string = randomUUID()) => {
  const headers: Record<string, string> = { 'idempotency-key': key }
  if (user) headers.cookie = `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`
  const reply = await prosa.app.inject({ method: 'POST', url: `/api/admin/users/${path}`, headers, payload })
  return { status: reply.statusCode, body: reply.json() }
}
const factsOf = async (id: string) =>
  (await everythingIn(ports.store, 'subscription')).filter(({ stream }) => stream === `subscription-${id}`)

const end = later(trialEnd, 30 * day)
const bodies = {
  extend: { subscriptionEnd: end, subscriptionStatus: 'active' },
  status: { subscriptionStatus: 'cancelled' },
  'remove-access': { subscriptionStatus: 'expired', subscriptionEnd: started },
}

describe('access that an administrator decides about', () => {
  it('is extended, by name and for a reason, once however often the request comes', async () => {
    const id = await newUser()
    const key = randomUUID()
    for (let times = 0; times < 2; times++) {
      const body = { ...bodies.extend, reason: ' Pagou por transferência ' }
      expect(await post(`${id}/extend`, body, admin, key)).toEqual({ status: 200, body: { id } })
    }
    const [, fact, ...more] = await factsOf(id)
    expect(more).toEqual([])
    expect(fact).toMatchObject({
      type: 'AccessSet',
      data: { decision: 'extended', before: { endsAt: trialEnd, status: 'active' }, endsAt: end, status: 'active' },
      metadata: { actor: { kind: 'admin', id: admin }, tenant: id },
    })
    const [, decoded] = await ports.codec.decode(await factsOf(id))
    expect(decoded?.metadata.reason).toBe('Pagou por transferência')
  })

  it('ends at the second it was extended to, and not before', async () => {
    const id = await newUser()
    await post(`${id}/extend`, bodies.extend)
    const timer = async () => (await ports.pool.query(`select due_at from timer where key = $1`, [id])).rows[0]?.due_at
    await until(async () => (await timer())?.toISOString() === end)
  })

  it('is removed by the clock of the server', async () => {
    const id = await newUser()
    const body = { ...bodies['remove-access'], subscriptionEnd: later(started, 99 * day) }
    expect((await post(`${id}/remove-access`, body)).status).toBe(200)
    expect((await factsOf(id))[1]?.data).toMatchObject({ decision: 'removed', endsAt: started, status: 'expired' })
    const reply = await post(`${id}/status`, { subscriptionStatus: 'active' })
    expect([reply.status, reply.body.type]).toEqual([409, 'access_has_ended'])
  })

  it('is the administrator’s own only to extend', async () => {
    await newUser(admin)
    for (const path of ['remove-access', 'status'] as const) {
      const reply = await post(`${admin}/${path}`, bodies[path])
      expect([reply.status, reply.body.title]).toEqual([
        409,
        'Você não pode encerrar o próprio acesso. Peça a outra pessoa que administra o Prosa.',
      ])
    }
    expect((await post(`${admin}/extend`, bodies.extend)).status).toBe(200)
  })

  it.each([
    ['extend', { ...bodies.extend, subscriptionEnd: 'amanhã' }, 'subscriptionEnd'],
    ['extend', { ...bodies.extend, subscriptionEnd: started }, 'subscriptionEnd'],
    ['extend', { ...bodies.extend, subscriptionEnd: '2099-01-01T00:00:00.000Z' }, 'subscriptionEnd'],
    ['extend', { ...bodies.extend, subscriptionStatus: 'vip' }, 'subscriptionStatus'],
    ['status', { subscriptionStatus: 'vip' }, 'subscriptionStatus'],
    ['remove-access', { ...bodies['remove-access'], subscriptionEnd: 7 }, 'subscriptionEnd'],
    ['status', { ...bodies.status, reason: 'a'.repeat(501) }, 'reason'],
  ])('%s with %j is refused by the name of %s', async (path, body, field) => {
    const reply = await post(`${await newUser()}/${path}`, body)
    expect([reply.status, reply.body.errors?.map((error: { field: string }) => error.field)]).toEqual([422, [field]])
  })

  it('of nobody is not found', async () => {
    for (const [path, body] of Object.entries(bodies))
      expect((await post(`${randomUUID()}/${path}`, body)).status).toBe(404)
  })

  it('is decided by administrators alone', async () => {
    const id = await newUser()
    for (const [path, body] of Object.entries(bodies)) {
      expect((await post(`${id}/${path}`, body, '')).status).toBe(401)
      for (const user of [analyst, subscriber]) expect((await post(`${id}/${path}`, body, user)).status).toBe(403)
    }
    expect(await factsOf(id)).toHaveLength(1)
  })
})
