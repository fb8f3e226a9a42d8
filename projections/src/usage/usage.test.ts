import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Clock } from '@prosa/kernel/clock'
import { later } from '@prosa/kernel/clock'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import { contractRules, entitlementsContract } from '@prosa/product/entitlements/entitlements.contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { findBusy } from './queries.ts'

type Prosa = Awaited<ReturnType<typeof testProjections>>

const queued = (isRetry?: true, wasRefused?: true): AnyEvent => ({
  type: 'MessageQueued',
  data: {
    messageId: '3EB0BBBBBBBBBBBBBBBBBB',
    connectionId: idOf('connection'),
    toJid: '1636@lid',
    content: { kind: 'text', text: 'oi' },
    attendantId: idOf('attendant'),
    isRetry,
    wasRefused,
  },
})
const order = { orderId: 'order-1', subscriptionId: 'sub-1', productId: null }
const paid = (until: string): AnyEvent => ({
  type: 'AccessGranted',
  data: { ...order, until, endsAt: until, status: 'active' },
})
const added: AnyEvent = { type: 'ConnectionAdded', data: { name: 'Loja' } }

const appending = ({ ports: { store, codec, readModels } }: Prosa, clock: Clock) => {
  const lengths = new Map<string, bigint>()
  return async (tenant: string, stream: string, event: AnyEvent) => {
    const length = lengths.get(stream) ?? 0n
    lengths.set(stream, length + 1n)
    const id = randomUUID()
    const actor = { kind: 'system', id: 'test' } as const
    const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: clock.now() }
    const encoded = await codec.encode([{ id, stream, event, metadata }])
    const appended = await store.append(stream, length === 0n ? 'no_stream' : length - 1n, encoded)
    if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
    await readModels.reached(['usage', 'plans', 'account'], appended.position, 5000)
    return appended.position
  }
}

entitlementsContract('the read model', async (clock) => {
  const prosa = await testProjections(clock, contractRules)
  const append = appending(prosa, clock)
  return {
    entitlements: prosa.ports.entitlements,
    async beginTrial(tenant, endsAt) {
      await append(tenant, `subscription-${tenant}`, { type: 'TrialStarted', data: { endsAt } })
    },
    async pay(tenant, until) {
      await append(tenant, `subscription-${tenant}`, paid(until))
    },
    async takeAway(tenant, at) {
      const before = { endsAt: null, status: 'active' } as const
      const data = { decision: 'removed', before, endsAt: at, status: 'expired' } as const
      await append(tenant, `subscription-${tenant}`, { type: 'AccessSet', data })
    },
    async withholdTrial(tenant, at) {
      await append(tenant, `subscription-${tenant}`, {
        type: 'TrialWithheld',
        data: { at, endsAt: at, status: 'expired' },
      })
    },
    async demandConfirmation(tenant, until) {
      const person = { firstName: 'Ana', lastName: 'Lima', email: 'ana@lima.com.br', credentialId: idOf('c') }
      await append(tenant, `user-${tenant}`, { type: 'UserRegistered', data: person })
      await append(tenant, `user-${tenant}`, { type: 'EmailConfirmationDemanded', data: { until } })
    },
    async confirm(tenant) {
      await append(tenant, `user-${tenant}`, { type: 'EmailConfirmed', data: {} })
    },
    async send(tenant) {
      await append(tenant, `chat-${randomUUID()}`, queued())
    },
    async addConnection(tenant) {
      const stream = `connection-${randomUUID()}`
      await append(tenant, stream, added)
      return {
        async remove() {
          await append(tenant, stream, { type: 'ConnectionRemoved', data: {} })
        },
      }
    },
    newTenant: randomUUID,
    close: prosa.stop,
  }
})

describe('GET /api/usage', () => {
  let now = '2026-11-22T12:00:00.000Z'
  let prosa: Prosa
  let append: ReturnType<typeof appending>
  beforeAll(async () => {
    const clock = { now: () => now }
    prosa = await testProjections(clock)
    append = appending(prosa, clock)
  })
  afterAll(() => prosa.stop())

  it('asks visitors to sign in', async () => {
    expect((await prosa.get('/api/usage')).status).toBe(401)
  })

  it('shows what the specification allows, and what of it is used: no retries, nothing written elsewhere', async () => {
    const tenant = randomUUID()
    await append(tenant, `subscription-${tenant}`, {
      type: 'TrialStarted',
      data: { endsAt: '2026-11-30T12:00:00.000Z' },
    })
    await append(tenant, `connection-${randomUUID()}`, added)
    const chat = `chat-${randomUUID()}`
    await append(tenant, chat, queued())
    await append(tenant, chat, queued(true))
    const message = { messageId: 'OTHER', connectionId: idOf('connection'), sentAt: now }
    const content = { kind: 'text', text: 'oi' } as const
    const position = await append(tenant, chat, { type: 'MessageSentElsewhere', data: { ...message, content } })
    expect((await prosa.get('/api/usage', tenant, position)).body).toEqual({
      plan: 'pro',
      access: 'open',
      endsAt: '2026-11-30T12:00:00.000Z',
      graceEndsAt: '2026-12-03T12:00:00.000Z',
      afterEnd: 'free_plan',
      periodStart: '2026-11-01T03:00:00.000Z',
      messages: { used: 1, limit: 5000 },
      connections: { used: 1, limit: 3 },
      isTrialWithheld: false,
      confirmEmailBy: null,
      mustConfirmEmail: false,
      limitsAfterEnd: { messages: 100, connections: 1 },
    })
  })

  it('finds who sent so much this month, and nobody of another month', async () => {
    const [busy, quiet, past] = [randomUUID(), randomUUID(), randomUUID()]
    const month = now
    now = '2026-10-20T12:00:00.000Z'
    for (let i = 0; i < 3; i++) await append(past, `chat-${past}`, queued())
    now = month
    for (let i = 0; i < 3; i++) await append(busy, `chat-${busy}`, queued())
    await append(quiet, `chat-${quiet}`, queued())
    const found = await findBusy(prosa.ports.pool, { since: '2026-11-01T03:00:00.000Z', atLeast: 2 })
    expect(found).toEqual([{ id: busy, sent: 3 }])
  })

  it('counts what was refused when it is sent after all, in the month of that', async () => {
    const tenant = randomUUID()
    const chat = `chat-${randomUUID()}`
    const refused = queued()
    if (refused.type !== 'MessageQueued') throw new Error('not a message')
    await append(tenant, chat, { ...refused, data: { ...refused.data, isRefused: true } })
    const used = async (position: string) => (await prosa.get('/api/usage', tenant, position)).body.messages.used
    expect(await used(await append(tenant, chat, queued(true, true)))).toBe(1)
    expect(await used(await append(tenant, chat, queued(true)))).toBe(1)
  })

  it('is read anew when time has ended something, though no row changed', async () => {
    const tenant = randomUUID()
    const stream = `subscription-${tenant}`
    await append(tenant, stream, { type: 'TrialStarted', data: { endsAt: '2026-11-22T12:00:30.000Z' } })
    const first = await prosa.get('/api/usage', tenant)
    const again = () => prosa.get('/api/usage', tenant, undefined, { 'if-none-match': String(first.headers.etag) })
    expect([first.body.access, (await again()).status]).toEqual(['open', 304])
    now = '2026-11-22T12:00:30.000Z'
    expect((await again()).body).toMatchObject({ access: 'grace' })
  })

  it('ends with money that went back, at that moment, or when it had ended before', async () => {
    const revoked: AnyEvent = {
      type: 'AccessRevoked',
      data: { orderId: 'order-1', cause: 'refund', endsAt: null, status: 'expired' },
    }
    const endOf = async (until: string) => {
      const tenant = randomUUID()
      await append(tenant, `subscription-${tenant}`, paid(until))
      const position = await append(tenant, `subscription-${tenant}`, revoked)
      const { endsAt, graceEndsAt, plan } = (await prosa.get('/api/usage', tenant, position)).body
      return [endsAt, graceEndsAt, plan]
    }
    const before = '2026-11-01T00:00:00.000Z'
    expect(await endOf(before)).toEqual([before, before, 'free'])
    expect(await endOf('2027-01-01T00:00:00.000Z')).toEqual([now, now, 'free'])
  })

  it('leaves the days of grace to whose end it was not: an old order, or a stranger’s that gave nothing', async () => {
    const [day, month] = [24 * 3600 * 1000, 30 * 24 * 3600 * 1000]
    const [ended, old] = [later(now, -day), later(now, -month)]
    const grant = (orderId: string, until: string, endsAt: string): AnyEvent => ({
      type: 'AccessGranted',
      data: { orderId, subscriptionId: null, productId: null, until, endsAt, status: 'active', by: 'order' },
    })
    const revoke = (orderId: string, endsAt: string, cause: 'chargeback' | 'refund' | 'moved'): AnyEvent => ({
      type: 'AccessRevoked',
      data: { orderId, cause, endsAt, status: 'active', by: 'order' },
    })
    const after = async (...events: readonly AnyEvent[]) => {
      const tenant = randomUUID()
      let position = ''
      for (const event of events) position = await append(tenant, `subscription-${tenant}`, event)
      const { access, endsAt, plan } = (await prosa.get('/api/usage', tenant, position)).body
      return { access, endsAt, plan }
    }
    const both = [grant('old', old, old), grant('last', ended, ended)]
    const grace = { access: 'grace', endsAt: ended, plan: 'pro' }
    expect(await after(...both)).toEqual(grace)
    expect(await after(...both, revoke('old', ended, 'refund'))).toEqual(grace)
    expect(await after(...both, revoke('of-a-stranger', ended, 'chargeback'))).toEqual(grace)
    expect(await after(...both, revoke('old', ended, 'moved'))).toEqual(grace)
    expect(await after(...both, revoke('last', old, 'refund'))).toMatchObject({ plan: 'free', endsAt: ended })
    expect(await after(...both, revoke('last', old, 'moved'), revoke('old', old, 'refund'))).toMatchObject({
      plan: 'free',
    })
  })

  it('has no limits where a plan was bought that is called so, until a lesser one outlasts it', async () => {
    const tenant = randomUUID()
    const planId = randomUUID()
    const product = { productId: `product-${planId}`, productName: 'Prosa' }
    const plan = {
      planId,
      planName: 'Plano Empresarial',
      accessDays: 30,
      price: '',
      description: '',
      purchaseUrl: null,
    }
    await append(tenant, `plan-${planId}`, { type: 'PlanCreated', data: { ...plan, ...product } })
    const grant = (orderId: string, productId: string, until: string): AnyEvent => ({
      type: 'AccessGranted',
      data: { orderId, subscriptionId: null, productId, until, endsAt: until, status: 'active' },
    })
    const limitAt = async (moment: string, position: string) => {
      now = moment
      const { body } = await prosa.get('/api/usage', tenant, position)
      return [body.plan, body.messages.limit, body.connections.limit]
    }
    const first = await append(
      tenant,
      `subscription-${tenant}`,
      grant('order-1', product.productId, '2026-12-22T12:00:00.000Z'),
    )
    expect(await limitAt('2026-11-22T12:00:30.000Z', first)).toEqual(['enterprise', null, null])
    expect(await limitAt('2026-12-23T12:00:00.000Z', first)).toEqual(['enterprise', null, null])
    const second = await append(tenant, `subscription-${tenant}`, grant('order-2', 'other', '2027-01-22T12:00:00.000Z'))
    expect(await limitAt('2026-12-22T11:00:00.000Z', second)).toEqual(['enterprise', null, null])
    expect(await limitAt('2026-12-22T12:00:00.000Z', second)).toEqual(['pro', 5000, 3])
  })

  it('keeps no row of an account that was erased', async () => {
    const tenant = randomUUID()
    await append(tenant, `subscription-${tenant}`, paid('2027-01-01T00:00:00.000Z'))
    await append(tenant, `subscription-${tenant}`, { type: 'SubscriberErased', data: {} })
    expect((await prosa.ports.pool.query('select from account_usage where id = $1', [tenant])).rowCount).toBe(0)
  })
})
