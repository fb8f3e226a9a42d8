import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Clock } from '@prosa/kernel/clock'
import { later } from '@prosa/kernel/clock'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import { contractRules, entitlementsContract } from '@prosa/product/entitlements/entitlements.contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

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
  return async (owner: string, stream: string, event: AnyEvent) => {
    const length = lengths.get(stream) ?? 0n
    lengths.set(stream, length + 1n)
    const id = randomUUID()
    const actor = { kind: 'system', id: 'test' } as const
    const metadata = { causationId: id, correlationId: id, actor, owner, recordedAt: clock.now() }
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
    async beginTrial(owner, endsAt) {
      await append(owner, `subscription-${owner}`, { type: 'TrialStarted', data: { endsAt } })
    },
    async pay(owner, until) {
      await append(owner, `subscription-${owner}`, paid(until))
    },
    async takeAway(owner, at) {
      const before = { endsAt: null, status: 'active' } as const
      const data = { decision: 'removed', before, endsAt: at, status: 'expired' } as const
      await append(owner, `subscription-${owner}`, { type: 'AccessSet', data })
    },
    async withholdTrial(owner, at) {
      await append(owner, `subscription-${owner}`, {
        type: 'TrialWithheld',
        data: { at, endsAt: at, status: 'expired' },
      })
    },
    async demandConfirmation(owner, until) {
      const person = { firstName: 'Ana', lastName: 'Lima', email: 'ana@lima.com.br', credentialId: idOf('c') }
      await append(owner, `user-${owner}`, { type: 'UserRegistered', data: person })
      await append(owner, `user-${owner}`, { type: 'EmailConfirmationDemanded', data: { until } })
    },
    async confirm(owner) {
      await append(owner, `user-${owner}`, { type: 'EmailConfirmed', data: {} })
    },
    async send(owner) {
      await append(owner, `chat-${randomUUID()}`, queued())
    },
    async addConnection(owner) {
      const stream = `connection-${randomUUID()}`
      await append(owner, stream, added)
      return {
        async remove() {
          await append(owner, stream, { type: 'ConnectionRemoved', data: {} })
        },
      }
    },
    newOwner: randomUUID,
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
    const owner = randomUUID()
    await append(owner, `subscription-${owner}`, { type: 'TrialStarted', data: { endsAt: '2026-11-30T12:00:00.000Z' } })
    await append(owner, `connection-${randomUUID()}`, added)
    const chat = `chat-${randomUUID()}`
    await append(owner, chat, queued())
    await append(owner, chat, queued(true))
    const message = { messageId: 'OTHER', connectionId: idOf('connection'), sentAt: now }
    const content = { kind: 'text', text: 'oi' } as const
    const position = await append(owner, chat, { type: 'MessageSentElsewhere', data: { ...message, content } })
    expect((await prosa.get('/api/usage', owner, position)).body).toEqual({
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
    })
  })

  it('counts what was refused when it is sent after all, in the month of that', async () => {
    const owner = randomUUID()
    const chat = `chat-${randomUUID()}`
    const refused = queued()
    if (refused.type !== 'MessageQueued') throw new Error('not a message')
    await append(owner, chat, { ...refused, data: { ...refused.data, isRefused: true } })
    const used = async (position: string) => (await prosa.get('/api/usage', owner, position)).body.messages.used
    expect(await used(await append(owner, chat, queued(true, true)))).toBe(1)
    expect(await used(await append(owner, chat, queued(true)))).toBe(1)
  })

  it('is read anew when time has ended something, though no row changed', async () => {
    const owner = randomUUID()
    const stream = `subscription-${owner}`
    await append(owner, stream, { type: 'TrialStarted', data: { endsAt: '2026-11-22T12:00:30.000Z' } })
    const first = await prosa.get('/api/usage', owner)
    const again = () => prosa.get('/api/usage', owner, undefined, { 'if-none-match': String(first.headers.etag) })
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
      const owner = randomUUID()
      await append(owner, `subscription-${owner}`, paid(until))
      const position = await append(owner, `subscription-${owner}`, revoked)
      const { endsAt, graceEndsAt, plan } = (await prosa.get('/api/usage', owner, position)).body
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
      const owner = randomUUID()
      let position = ''
      for (const event of events) position = await append(owner, `subscription-${owner}`, event)
      const { access, endsAt, plan } = (await prosa.get('/api/usage', owner, position)).body
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
    const owner = randomUUID()
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
    await append(owner, `plan-${planId}`, { type: 'PlanCreated', data: { ...plan, ...product } })
    const grant = (orderId: string, productId: string, until: string): AnyEvent => ({
      type: 'AccessGranted',
      data: { orderId, subscriptionId: null, productId, until, endsAt: until, status: 'active' },
    })
    const limitAt = async (moment: string, position: string) => {
      now = moment
      const { body } = await prosa.get('/api/usage', owner, position)
      return [body.plan, body.messages.limit, body.connections.limit]
    }
    const first = await append(
      owner,
      `subscription-${owner}`,
      grant('order-1', product.productId, '2026-12-22T12:00:00.000Z'),
    )
    expect(await limitAt('2026-11-22T12:00:30.000Z', first)).toEqual(['enterprise', null, null])
    expect(await limitAt('2026-12-23T12:00:00.000Z', first)).toEqual(['enterprise', null, null])
    const second = await append(owner, `subscription-${owner}`, grant('order-2', 'other', '2027-01-22T12:00:00.000Z'))
    expect(await limitAt('2026-12-22T11:00:00.000Z', second)).toEqual(['enterprise', null, null])
    expect(await limitAt('2026-12-22T12:00:00.000Z', second)).toEqual(['pro', 5000, 3])
  })

  it('keeps no row of an account that was erased', async () => {
    const owner = randomUUID()
    await append(owner, `subscription-${owner}`, paid('2027-01-01T00:00:00.000Z'))
    await append(owner, `subscription-${owner}`, { type: 'SubscriberErased', data: {} })
    expect((await prosa.ports.pool.query('select from account_usage where id = $1', [owner])).rowCount).toBe(0)
  })
})
