import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Instant } from '@prosa/contracts/values/instant'
import { purchaseTokenOf } from '@prosa/kernel/privacy/purchase-token'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

const sample = new URL('../../services/billing/src/kiwify/samples/order-approved-card.json', import.meta.url)

/** Kiwify reports, with its signature, that the account bought access until then from within Prosa. */
export const reportPayment = async ({ url, ports }: Product, visitor: Visitor, until: Instant): Promise<void> => {
  const { id } = await visitor.get<{ id: string }>('/api/auth/user')
  const paid = JSON.parse(await readFile(sample, 'utf8'))
  const body = JSON.stringify({
    ...paid,
    order_id: `order-of-${id}`,
    subscription_id: `subscription-of-${id}`,
    approved_date: null,
    TrackingParameters: { sck: purchaseTokenOf(ports.box, id) },
    Subscription: { customer_access: { access_until: until } },
  })
  const signature = createHmac('sha1', 'approved').update(body).digest('hex')
  const address = `${url}/kiwify/payment/approved?signature=${signature}`
  const answer = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (answer.status !== 200) throw new Error(`the payment was answered ${answer.status}`)
}
