import { createHmac } from 'node:crypto'
import { sampleProductId } from '@prosa/billing/testing/offer-sample-plan'
import { theWorld } from '../platform/world.ts'
import { kiwifyTokens } from '../product-process.ts'
import type { Sale, Town } from './town.ts'

const monthMs = 30 * 24 * 3_600_000

/** Signed; repeated until it is accepted. */
export const reportOrder = async (
  { cluster }: Town,
  { orderId, email, subscriptionId }: Sale,
  kind: 'order_approved' | 'order_refunded',
): Promise<void> => {
  const to = kind === 'order_approved' ? 'approved' : 'refunded'
  const at = cluster.clock.now()
  const body = JSON.stringify({
    ...{ order_id: orderId, order_ref: orderId, webhook_event_type: kind, subscription_id: subscriptionId },
    ...{ created_at: at, approved_date: at, refunded_at: kind === 'order_refunded' ? at : null },
    Product: { product_id: sampleProductId, product_name: 'Profissional' },
    Customer: { full_name: 'Ana Exemplo', email },
    Commissions: { charge_amount: 9700 },
    Subscription: { customer_access: { access_until: new Date(Date.parse(at) + monthMs).toISOString() } },
  })
  const signature = createHmac('sha1', kiwifyTokens[to]).update(body).digest('hex')
  await cluster.persist(async (process) => {
    await theWorld().pause(theWorld().latencyMs())
    const { statusCode } = await process.host.app.inject({
      method: 'POST',
      url: `/kiwify/payment/${to}?signature=${signature}`,
      headers: { 'content-type': 'application/json' },
      payload: body,
    })
    if (statusCode !== 200) throw new Error(`the delivery was answered ${statusCode}`)
  })
}
