import { buyerEndpoints } from '@prosa/contracts/http/accounts/buyers'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { BillingHandlers } from '../handlers.ts'
import type { Entitlement } from '../purchases/entitlement.ts'
import type { FindAccountId } from '../purchases/transaction-routes.ts'
import { buyerKeyOf } from './buyer-key.ts'

export interface BuyerRoutesDeps {
  handlers: Pick<BillingHandlers, 'orders' | 'entitlements'>
  findAccountId: FindAccountId
}

/**
 * For people without an account; only the address's keyed hash is stored. Logged before the reply; `erase-on-buyer-erased` carries it out.
 */
export const buyerRoutes = (
  { pool, box, roles }: Pick<Ports, 'pool' | 'box' | 'roles'>,
  { handlers: { orders, entitlements }, findAccountId }: BuyerRoutesDeps,
): FastifyPluginAsync => {
  const countsOf = async ({ waiting, orderIds, deliveryIds }: Entitlement) => {
    const deliveries = new Set(deliveryIds)
    let count = 0
    for (const orderId of new Set([...waiting, ...orderIds])) {
      const order = await orders.load(orderId, null)
      if (order.userId !== null && !orderIds.has(orderId)) continue
      count += 1
      for (const id of order.deliveryIds) deliveries.add(id)
    }
    return { orders: count, deliveries: deliveries.size }
  }

  return async (app) => {
    route(app, buyerEndpoints.erase, { roles }, async (request, reply) => {
      const { email, reason } = request.body
      const context = administratorContext(request, { tenant: null, reason })
      if ((await findAccountId(pool, { email })) !== undefined) throw refuse('address_has_account')
      const outcome = await entitlements(
        buyerKeyOf(box, email),
        { type: 'EraseBuyer', data: { userId: null } },
        context,
      )
      if (!outcome.ok) throw refuse(outcome.rejected)
      // The read model lags behind the account's proof.
      if (!outcome.state.isErased) throw refuse('address_has_account')
      replyPosition(reply, outcome.position)
      return countsOf(outcome.state)
    })
  }
}
