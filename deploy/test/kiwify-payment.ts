import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { offerSamplePlan } from '@prosa/billing/testing/offer-sample-plan'
import type { Instant } from '@prosa/contracts/values/instant'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

type Sample = 'order-approved-card' | 'order-rejected'

const readSample = async (name: Sample): Promise<object> => {
  const file = new URL(`../../services/billing/src/kiwify/samples/${name}.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8'))
}

const orderOf = async (id: string) => ({
  ...(await readSample('order-approved-card')),
  order_id: `order-of-${id}`,
  order_ref: `P${id.slice(0, 6).toUpperCase()}`,
  subscription_id: `subscription-of-${id}`,
  approved_date: null,
})

const deliver = async (url: string, to: 'approved' | 'refunded', report: object): Promise<void> => {
  const body = JSON.stringify(report)
  const signature = createHmac('sha1', to).update(body).digest('hex')
  const address = `${url}/kiwify/payment/${to}?signature=${signature}`
  const answer = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (answer.status !== 200) throw new Error(`the delivery was answered ${answer.status}`)
}

export const reportOrder = async (
  { url }: Product,
  ref: string,
  changes: object,
  sample: Sample = 'order-approved-card',
): Promise<void> => {
  const order = { order_id: ref, order_ref: ref, subscription_id: `subscription-${ref}`, TrackingParameters: null }
  await deliver(url, 'approved', { ...(await readSample(sample)), ...order, ...changes })
}

const idOf = async (visitor: Visitor) => (await visitor.get<{ id: string }>('/api/auth/user')).id

export const reportPayment = async ({ url, ports }: Product, visitor: Visitor, until: Instant): Promise<void> => {
  const id = await idOf(visitor)
  await offerSamplePlan(ports)
  await deliver(url, 'approved', {
    ...(await orderOf(id)),
    TrackingParameters: { sck: purchaseTokenOf(ports.box, id) },
    Subscription: { customer_access: { access_until: until } },
  })
}

export const reportRefund = async ({ url }: Product, visitor: Visitor): Promise<void> =>
  deliver(url, 'refunded', {
    ...(await orderOf(await idOf(visitor))),
    order_status: 'refunded',
    webhook_event_type: 'order_refunded',
  })
