import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { OfferedPlan } from '@prosa/contracts/http/accounts/plans'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { until } from '@prosa/kernel/testing/until'
import { accountOfToken } from '@prosa/product/purchase-token'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const [ana, bia] = [idOf('ana'), idOf('bia')]
const link = 'https://pay.kiwify.com.br/AbC?utm_source=prosa'
const offer = (planId: string, more: object = {}) => ({
  ...{ planId, planName: planId, productId: `produto ${planId}`, productName: 'Prosa', accessDays: 30 },
  ...{ price: 'R$ 97,00', description: '', purchaseUrl: link, ...more },
})

describe('the plans', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  let latest = ''
  const record = async (planId: string, event: AnyEvent) => {
    latest = await prosa.append(null, `plan-${idOf(planId)}`, event)
  }
  const offered = async (path: string, user?: string): Promise<OfferedPlan[]> =>
    (await prosa.get(path, user, latest)).body
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
    await record('b', { type: 'PlanCreated', data: offer('b') })
    await record('a', { type: 'PlanCreated', data: offer('a', { purchaseUrl: null }) })
    await record('c', { type: 'PlanCreated', data: offer('c') })
    await record('b', { type: 'PlanRevised', data: { ...offer('b', { price: 'R$ 127,00' }), before: offer('b') } })
    await record('c', { type: 'PlanDeleted', data: { planId: 'c', planName: 'c' } })
  })
  afterAll(() => prosa.stop())

  it('on offer come as they were created and are now, to visitors with the link as it was entered', async () => {
    const isShown = (plan: OfferedPlan) => plan.price === 'R$ 127,00'
    await until(async () => (await offered('/api/public/kiwify-plans')).some(isShown))
    expect(await offered('/api/public/kiwify-plans')).toEqual([
      {
        ...{ id: idOf('b'), planId: 'b', planName: 'b', accessDays: 30, price: 'R$ 127,00', description: '' },
        purchaseUrl: link,
      },
      {
        ...{ id: idOf('a'), planId: 'a', planName: 'a', accessDays: 30, price: 'R$ 97,00', description: '' },
        purchaseUrl: null,
      },
    ])
  })

  it('carry the account of the subscriber who asks in their purchase links', async () => {
    for (const user of [ana, bia]) {
      const [first, second] = await offered('/api/kiwify-plans', user)
      expect(first?.purchaseUrl?.startsWith(`${link}&sck=`)).toBe(true)
      const token = new URL(first?.purchaseUrl ?? '').searchParams.get('sck') ?? ''
      expect(accountOfToken(prosa.ports.box, token)).toBe(user)
      expect(second?.purchaseUrl).toBeNull()
    }
    expect((await prosa.get('/api/kiwify-plans')).status).toBe(401)
  })

  it('are shown anew after a change, to whoever looked before', async () => {
    const tag = (await prosa.get('/api/kiwify-plans', ana, latest)).headers.etag
    await record('d', { type: 'PlanCreated', data: offer('d') })
    const { status, body } = await prosa.get('/api/kiwify-plans', ana, latest, { 'if-none-match': String(tag) })
    expect([status, body.map(({ planId }: OfferedPlan) => planId)]).toEqual([200, ['b', 'a', 'd']])
  })

  it('are shown with their products to administrators only, as are the addresses for Kiwify', async () => {
    const boss = idOf('boss')
    const person = { firstName: 'Ana', lastName: 'Souza', email: 'ana@padaria.com.br', credentialId: idOf('x') }
    await prosa.append(boss, `user-${boss}`, { type: 'UserRegistered', data: person })
    latest = await prosa.append(boss, `user-${boss}`, { type: 'RoleGranted', data: { role: 'admin' } })
    await prosa.ports.readModels.reached(['account'], latest as never, 2000)
    const { body } = await prosa.get('/api/admin/kiwify-plans', boss, latest)
    expect(body[0]).toMatchObject({ planId: 'b', productId: 'produto b', productName: 'Prosa', purchaseUrl: link })
    const none = { isConfigured: false, hasShortToken: false, lastReceivedAt: null }
    const [approved, refunded] = [
      { endpoint: 'approved', path: '/kiwify/payment/approved', ...none },
      { endpoint: 'refunded', path: '/kiwify/payment/refunded', ...none },
    ]
    expect((await prosa.get('/api/admin/kiwify-webhooks', boss)).body).toEqual([approved, refunded])
    const delivery = { endpoint: 'approved', body: 'e30=', bytes: 2, expiresAt: at(99_999) } as const
    for (const name of ['one', 'other'])
      latest = await prosa.append(null, `webhookDelivery-${name}`, { type: 'DeliveryReceived', data: delivery })
    latest = await prosa.append(null, 'webhookDelivery-one', {
      type: 'DeliveryRepeated',
      data: { endpoint: 'approved' },
    })
    const last = (await prosa.get('/api/admin/webhook-logs', boss, latest)).body.items.map(
      ({ lastReceivedAt }: { lastReceivedAt: string }) => lastReceivedAt,
    )
    expect((await prosa.get('/api/admin/kiwify-webhooks', boss, latest)).body).toEqual([
      { ...approved, lastReceivedAt: last.sort().at(-1) },
      refunded,
    ])
    for (const path of ['/api/admin/kiwify-plans', '/api/admin/kiwify-webhooks']) {
      expect((await prosa.get(path, ana)).status).toBe(403)
      expect((await prosa.get(path)).status).toBe(401)
    }
  })
})
