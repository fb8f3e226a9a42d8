import { createHash } from 'node:crypto'
import type { WebhookPreviewChange } from '@prosa/contracts/http/accounts/webhook-logs'
import type { OrderEventKind } from '@prosa/contracts/values/kiwify'
import { transactionStatusOf } from '@prosa/contracts/values/kiwify'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { derivedBoxKeys, secretBox } from '@prosa/kernel/privacy/secret-box'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import { erasesNothing } from '../buyers/erase-buyer.ts'
import { billingHandlers } from '../handlers.ts'
import { purchaseReactors } from '../purchases/purchase-reactors.ts'
import { reactInAnyOrder } from '../testing/random-order.ts'
import { previewDelivery } from './preview-delivery.ts'
import { receivedDeliveries } from './received-delivery.ts'

const ana = '0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11'
const address = 'ana@example.org'
const box = secretBox(derivedBoxKeys(Buffer.alloc(32, 7)))
const clock = { now: () => '2026-06-01T12:00:00.000Z' }

const soldPlanOf = async () => ({ planName: 'Profissional', accessDays: 30 })

const aBilling = () => {
  const store = memoryEventStore()
  const codec = eventCodec()
  const handlers = billingHandlers({ store, codec, clock })
  const findReceived = receivedDeliveries({ store, codec })
  const reactors = purchaseReactors({ handlers, box, soldPlanOf, findReceived, erase: erasesNothing })
  const context = (commandId: string, tenant: string | null = null) => {
    const actor = { kind: 'system', id: 'test' } as const
    return { commandId, actor, tenant, causationId: 'test', correlationId: 'test' }
  }
  const react = () => reactInAnyOrder(reactors, store, codec, (below) => below - 1)
  return {
    store,
    handlers,
    context,
    react,
    findReceived,
    async receive(body: string) {
      const id = createHash('sha256').update(body).digest('hex')
      const about = { endpoint: 'approved', bytes: body.length, expiresAt: '2026-12-01T12:00:00.000Z' } as const
      const data = { ...about, body: Buffer.from(body).toString('base64') }
      await handlers.deliveries(id, { type: 'ReceiveDelivery', data }, context(`receive ${id}`))
      return id
    },
    preview: async (id: string) =>
      previewDelivery(
        await findReceived(`webhookDelivery-${id}`),
        handlers,
        { box, clock, soldPlanOf },
        shortestSlices,
      ),
    prove: () =>
      handlers.entitlements(
        buyerKeyOf(box, address),
        { type: 'ClaimEntitlement', data: { userId: ana } },
        context('p'),
      ),
  }
}

interface Report {
  kind: OrderEventKind
  order: number
  hasToken: boolean
}
const token = purchaseTokenOf(box, ana)
const bodyOf = ({ kind, order, hasToken }: Report) =>
  JSON.stringify({
    order_id: `order-${order}`,
    webhook_event_type: kind,
    subscription_id: 'sub-1',
    approved_date: `2026-0${6 + order}-08 11:53`,
    Customer: { full_name: 'Ana Lima', email: address },
    TrackingParameters: { sck: hasToken ? token : null },
  })

it('lists what then happens, whatever was reported before', async () => {
  const report = fc.record({
    kind: fc.constantFrom<OrderEventKind>(
      'order_approved',
      'order_refunded',
      'chargeback',
      'pix_created',
      'subscription_canceled',
    ),
    order: fc.nat({ max: 1 }),
    hasToken: fc.boolean(),
  })
  const life = fc.record({ reports: fc.array(report, { minLength: 1, maxLength: 6 }), provesAfter: fc.nat({ max: 6 }) })
  await fc.assert(
    fc.asyncProperty(life, async ({ reports, provesAfter }) => {
      const { handlers, store, receive, preview, react, prove } = aBilling()
      const states = async () => {
        const found = new Map<string, string | null>()
        for (const order of [0, 1]) {
          const state = await handlers.orders.load(`order-${order}`, null)
          if (state.kinds.size > 0) found.set(`order_status order-${order}`, transactionStatusOf(state.kinds))
          found.set(`order_owner order-${order}`, state.userId)
        }
        return found.set(`access_end ${ana}`, (await handlers.subscriptions.load(ana, ana)).endsAt)
      }
      for (const [index, given] of reports.entries()) {
        if (index === provesAfter) await prove()
        await react()
        const id = await receive(bodyOf(given))
        const [before, stored] = [await states(), (await everythingIn(store, 'order')).length]
        const listed = (await preview(id)).changes
        expect((await everythingIn(store, 'order')).length).toBe(stored)
        await react()
        const after = await states()
        const changed = [...after].filter(([what, value]) => (before.get(what) ?? null) !== value)
        const nameOf = (change: WebhookPreviewChange) =>
          `${change.what} ${change.what === 'access_end' ? change.userId : change.orderId}`
        expect(new Map(listed.map((change) => [nameOf(change), change.after]))).toEqual(new Map(changed))
      }
      await store.close()
    }),
    { numRuns: 60 },
  )
})

it('names why a body changes nothing', async () => {
  const { receive, preview } = aBilling()
  expect(await preview(await receive('['))).toEqual({ note: 'O conteúdo não é JSON.', changes: [] })
  expect(await preview(await receive('[]'))).toMatchObject({ note: expect.stringContaining('lista') })
})

it('a delivery that is reprocessed is settled once more, and an order is not reported twice', async () => {
  const { receive, react, handlers, context, store } = aBilling()
  const id = await receive(bodyOf({ kind: 'order_approved', order: 0, hasToken: true }))
  await react()
  const reprocess = { type: 'ReprocessDelivery', data: { isParked: false } } as const
  await handlers.deliveries(id, reprocess, context('reprocess'))
  await react()
  const types = async (category: 'webhookDelivery' | 'order' | 'subscription') =>
    (await everythingIn(store, category)).map(({ type }) => type)
  expect(await types('webhookDelivery')).toEqual([
    'DeliveryReceived',
    'DeliveryApplied',
    'DeliveryReprocessed',
    'DeliveryApplied',
  ])
  expect(await types('order')).toEqual(['OrderReported', 'OrderAssigned'])
  expect(await types('subscription')).toEqual(['OrderAttached', 'AccessGranted'])
})
