import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { PlanWhatIfPart } from '@prosa/contracts/http/what-if/plan'
import { later } from '@prosa/kernel/clock'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const dayMs = 24 * 3600 * 1000
const [admin, ana, bia, caio] = [idOf('admin'), idOf('ana'), idOf('bia'), idOf('caio')]
const planId = idOf('plan')
const period = { from: '2026-11-15', to: '2026-12-14' }
const paidAt = at(60)
const trialEnd = at(10 * 24 * 3600)

let prosa: Awaited<ReturnType<typeof testProjections>>
let position: Position

const append = async (tenant: string | null, stream: string, event: AnyEvent) => {
  position = await prosa.append(tenant, stream, event)
}
const register = async (id: string, firstName: string) => {
  const data = { firstName, lastName: 'Lima', email: `${firstName}@loja.com.br`, credentialId: idOf(firstName) }
  await append(id, `user-${id}`, { type: 'UserRegistered', data })
  await append(id, `subscription-${id}`, { type: 'TrialStarted', data: { endsAt: trialEnd } })
}
const order = { orderId: 'order-1', subscriptionId: null, productId: 'P-1' }
const offer = {
  ...{ planId: 'pro', planName: 'Profissional', productId: 'P-1', productName: 'Prosa' },
  ...{ accessDays: 30, price: 'R$ 97,00', description: '', purchaseUrl: null },
}
const sends = (tenant: string, more: { isRefused?: true; isRetry?: true } = {}) =>
  append(tenant, `chat-${idOf(`chat of ${tenant}`)}`, {
    type: 'MessageQueued',
    data: {
      ...{ messageId: idOf(`${tenant} ${position}`), connectionId: idOf('line'), toJid: '1636@lid' },
      ...{ content: { kind: 'text', text: 'oi' }, attendantId: tenant, ...more },
    },
  })

beforeAll(async () => {
  const { pro, ...limits } = defaultPlanRules.limits
  const rules = { ...defaultPlanRules, limits: { ...limits, pro: { ...pro, messages: 4 } } }
  prosa = await testProjections({ now: () => at(30 * 24 * 3600) }, rules)
  await register(admin, 'Zoe')
  await append(admin, `user-${admin}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await append(null, `plan-${planId}`, { type: 'PlanCreated', data: offer })
  for (const [id, name] of [
    [ana, 'Ana'],
    [bia, 'Bia'],
    [caio, 'Caio'],
  ] as const)
    await register(id, name)
  const nobody = { token: null, buyerKey: null, buyerName: null, buyerEmail: null, buyerDocument: null }
  await append(null, 'order-order-1', {
    type: 'OrderReported',
    data: {
      ...{ deliveryId: 'delivery', kind: 'order_approved', orderRef: 'AB12', subscriptionId: null, ...nobody },
      ...{ productId: 'P-1', productName: 'Prosa', amountCents: 9700, paymentMethod: 'pix', occurredAt: paidAt },
      ...{ accessUntil: null, accessDays: 30, planName: 'Profissional' },
    },
  })
  const until = later(paidAt, 30 * dayMs)
  await append(ana, `subscription-${ana}`, {
    type: 'AccessGranted',
    data: { ...order, until, endsAt: until, status: 'active' },
  })
  await append(ana, `connection-${idOf('one')}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
  await append(ana, `connection-${idOf('two')}`, { type: 'ConnectionAdded', data: { name: 'Filial' } })
  for (let count = 0; count < 3; count++) await sends(ana)
  await sends(ana, { isRetry: true })
  for (let count = 0; count < 4; count++) await sends(caio)
  await sends(caio, { isRefused: true })
  await prosa.ports.readModels.reached(['account', 'users'], position, 5000)
})
afterAll(() => prosa.stop())

const ask = async (change: object, user = admin) => {
  const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
  const headers = { cookie, 'prosa-position': prosa.tokenOf(user, position) }
  return prosa.app.inject({
    method: 'POST',
    url: '/api/admin/plan-what-if',
    headers,
    payload: { ...period, ...change },
  })
}
const whatIf = async (change: object) => {
  await prosa.statePurpose(admin, null)
  const reply = await ask(change)
  expect(reply.statusCode).toBe(200)
  return reply.json<PlanWhatIfPart>()
}

describe('what if a plan or a rule of access were another', () => {
  it('nothing differs where nothing is changed', async () => {
    const found = await whatIf({ planId, accessDays: 30, trialDays: undefined })
    expect(found).toMatchObject({ done: 4, total: 4, next: null, subscriptions: 4, different: 0, otherEnds: 0 })
    expect(found.revenue).toEqual({ orders: 1, wasCents: 9700, wouldCents: 9700 })
  })

  it('more days of a plan would have lasted longer for who bought it, fewer until the free period ends', async () => {
    const more = await whatIf({ planId, accessDays: 60 })
    expect(more).toMatchObject({ different: 1, otherEnds: 1 })
    const endsAt = { was: later(paidAt, 30 * dayMs), would: later(paidAt, 60 * dayMs) }
    expect(more.differences).toMatchObject([{ userId: ana, name: 'Ana Lima', email: 'Ana@loja.com.br', endsAt }])
    const [fewer] = (await whatIf({ planId, accessDays: 5 })).differences
    expect(fewer?.endsAt).toEqual({ was: endsAt.was, would: trialEnd })
  })

  it('other days of the free period hold for whoever registered in these days, and pay for nobody less', async () => {
    const found = await whatIf({ trialDays: 20 })
    expect(found.differences.map(({ userId }) => userId).toSorted()).toEqual([admin, bia, caio].toSorted())
    const ofBia = found.differences.find(({ userId }) => userId === bia)
    expect(ofBia?.endsAt.was).toBe(trialEnd)
    expect((ofBia?.endsAt.would ?? '') > trialEnd).toBe(true)
  })

  it('a lower limit would have refused what was sent beyond it, retries apart, and connections', async () => {
    const found = await whatIf({ limits: { pro: { messages: 2, connections: 1 } } })
    const ofAna = found.differences.find(({ userId }) => userId === ana)
    expect(ofAna).toMatchObject({ blockedSends: 1, allowedSends: 0, blockedConnections: 1, messages: { was: null } })
    expect(ofAna?.messages.would).not.toBeNull()
    const ofCaio = found.differences.find(({ userId }) => userId === caio)
    expect(ofCaio).toMatchObject({ blockedSends: 2, allowedSends: 0 })
    expect(found).toMatchObject({ different: 2, blockedSends: 3, blockedConnections: 1 })
    expect(found.reachedLimit).toEqual({ was: 1, would: 2 })
  })

  it('a higher limit would have let go what a flow was refused, and nobody would have reached it', async () => {
    const found = await whatIf({ limits: { pro: { messages: null } } })
    expect(found).toMatchObject({ different: 1, allowedSends: 1, blockedSends: 0, reachedLimit: { was: 1, would: 0 } })
    expect(found.differences).toMatchObject([{ userId: caio, messages: { would: null } }])
  })

  it('another price is the same orders at that price', async () => {
    const { revenue, different } = await whatIf({ planId, priceCents: 12_700 })
    expect([revenue, different]).toEqual([{ orders: 1, wasCents: 9700, wouldCents: 12_700 }, 0])
  })

  it('of days in which nothing happened nothing differs', async () => {
    const found = await whatIf({ planId, accessDays: 60, priceCents: 1, from: '2026-11-01', to: '2026-11-10' })
    expect(found).toMatchObject({ subscriptions: 0, different: 0, revenue: { orders: 0 } })
  })

  it('begins after the account that the former part ended with', async () => {
    const all = (await whatIf({ trialDays: 20 })).differences.map(({ userId }) => userId)
    const rest = await whatIf({ trialDays: 20, after: all[0] })
    expect(rest.differences.map(({ userId }) => userId)).toEqual(all.slice(1))
    expect([rest.done, rest.total]).toEqual([4, 4])
  })

  it('appends nothing but that it was read, and why', async () => {
    const before = await everythingIn(prosa.ports.store, 'subscription', 'order', 'plan', 'chat', 'connection')
    await whatIf({ planId, accessDays: 90, limits: { pro: { messages: 1 } } })
    expect(await everythingIn(prosa.ports.store, 'subscription', 'order', 'plan', 'chat', 'connection')).toEqual(before)
    const readings = await everythingIn(prosa.ports.store, 'tenantReading')
    expect(readings.map(({ type, data }) => [type, 'what' in data ? data.what : null])).toContainEqual([
      'PersonalDataRead',
      'users',
    ])
  })

  it('is for administrators who say why, and refuses in sentences', async () => {
    expect((await ask({ trialDays: 5 }, bia)).statusCode).toBe(403)
    await prosa.statePurpose(admin, null)
    const refusal = async (change: object) => (await ask(change)).json()
    expect(await refusal({ accessDays: 30 })).toMatchObject({
      errors: [{ field: 'planId', message: 'Escolha o plano que teria outros dias ou outro preço.' }],
    })
    expect(await refusal({ trialDays: 0 })).toMatchObject({
      errors: [{ field: 'trialDays', message: 'Informe de 1 a 3.650 dias, sem frações.' }],
    })
    expect(await refusal({ limits: { pro: { messages: -1 } } })).toMatchObject({
      errors: [{ field: 'limits.pro.messages', message: 'Informe um número inteiro, a partir de 0.' }],
    })
    expect(await refusal({ planId: idOf('another plan'), accessDays: 5 })).toMatchObject({ type: 'plan_not_found' })
  })
})
