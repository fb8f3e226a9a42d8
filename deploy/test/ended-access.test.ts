import type { Usage } from '@prosa/contracts/http/accounts/usage'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { later } from '@prosa/kernel/clock'
import { positionTokens } from '@prosa/kernel/http/reading/position-tokens'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportPayment } from './kiwify-payment.ts'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const day = 24 * 3600 * 1000
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead).toISOString() }

let product: Product
beforeAll(async () => {
  product = await startProduct({ clock, planRules: { ...defaultPlanRules, afterEnd: 'ended' } })
}, 60_000)
afterAll(() => product?.stop())

const pay = (visitor: Visitor) => reportPayment(product, visitor, later(clock.now(), 30 * day))

it('stops what is new three days after the end, keeps what customers write, and opens with the payment', async () => {
  const tenant = await product.visitor().register()
  const other = await product.visitor().register()
  const shop = product.whatsapp.addPhone('5511900000001', 'Padaria Sol')
  const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
  const { id: connectionId } = await tenant.link(shop)
  await ana.sendText('5511900000001', 'Vocês entregam?')
  const contact = await until<Contact | undefined>(async () => (await tenant.contacts('waiting'))[0])
  const send = (message: string) =>
    tenant.ask<{ title: string; type: string }>('POST', '/api/whatsapp/send-message', {
      connectionId,
      contactId: contact.id,
      message,
    })
  expect((await send('Entregamos')).status).toBe(202)
  await pay(other)
  const usageOf = (visitor: Visitor) => visitor.get<Usage>('/api/usage')
  await until(async () => Date.parse((await usageOf(other)).endsAt ?? '') > Date.now() + 20 * day)

  ahead = 13 * day + 60_000
  const refused = await send('Ainda?')
  expect([refused.status, refused.body.title]).toEqual([
    402,
    'Seu período terminou. Escolha um plano para voltar a enviar.',
  ])
  const upload = await tenant.ask('POST', '/api/whatsapp/media', Buffer.from('um arquivo'))
  const connection = await tenant.ask('POST', '/api/whatsapp/connections', { name: 'Outra' })
  expect([upload.status, connection.status]).toEqual([402, 402])
  const ended = await usageOf(tenant)
  expect(ended).toMatchObject({ access: 'ended', plan: 'free' })

  await ana.sendText('5511900000001', 'Oi?')
  await until(async () => (await tenant.messages(contact.id)).some(({ content }) => content === 'Oi?'))
  expect((await tenant.ask('POST', '/api/whatsapp/media', Buffer.from('um arquivo'))).status).toBe(402)
  expect(await usageOf(other)).toMatchObject({ access: 'open', plan: 'pro' })
  expect((await other.ask('POST', '/api/whatsapp/media', Buffer.from('um arquivo'))).status).toBe(201)

  const { id: tenantId } = await tenant.get<{ id: string }>('/api/auth/user')
  const browser = tenant.socket()
  let isJoined = false
  let notifiedUpTo = ''
  const tokens = positionTokens(product.ports.box)
  browser.on('whatsapp:connections', () => {
    isJoined = true
  })
  browser.on('account:update', ({ position }) => {
    notifiedUpTo = tokens.latestOf(tenantId, position) ?? ''
  })
  await until(() => isJoined)
  await pay(tenant)
  const granted = await until(async () =>
    (await everythingIn(product.ports.store, 'subscription')).findLast(
      ({ type, metadata }) => type === 'AccessGranted' && metadata.tenant === tenantId,
    ),
  )
  await until(() => notifiedUpTo >= granted.position)
  expect((await send('De volta')).status).toBe(202)
  expect(await usageOf(tenant)).toMatchObject({
    access: 'open',
    plan: 'pro',
    messages: { used: ended.messages.used + 1 },
  })
  browser.disconnect()
}, 60_000)
