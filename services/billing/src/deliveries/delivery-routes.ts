import { type WebhookPreview, webhookLogEndpoints } from '@prosa/contracts/http/accounts/webhook-logs'
import { streamName } from '@prosa/contracts/streams'
import { findParked } from '@prosa/kernel/consumers/engine/parked-queries'
import { parkedWorkId } from '@prosa/kernel/consumers/engine/parked-work'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { decideOnParked } from '@prosa/kernel/operations/decide-on-parked'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import type { BillingHandlers } from '../handlers.ts'
import type { SoldPlanOf } from '../plans/plan-days.ts'
import { applyWorker } from '../purchases/purchase-reactors.ts'
import { previewDelivery } from './preview-delivery.ts'
import { isBodyGone, type ReceivedDelivery, receivedDeliveries } from './received-delivery.ts'

type Deps = Pick<Ports, 'store' | 'codec' | 'clock' | 'box' | 'pool' | 'roles'> & {
  handlers: BillingHandlers
  soldPlanOf: SoldPlanOf
}

/** Null stands for no account. */
const tenantsIn = ({ changes }: WebhookPreview): ReadonlySet<string | null> => {
  const named = changes.flatMap((change) => {
    if (change.what === 'order_owner') return [change.before, change.after]
    return change.what === 'access_end' ? [change.userId] : []
  })
  const tenants = named.filter((tenant) => tenant !== null)
  return new Set(tenants.length === 0 ? [null] : tenants)
}

/** The preview runs the deciders and reactors themselves, so it cannot differ from reprocessing. */
export const deliveryRoutes = (deps: Deps): FastifyPluginAsync => {
  const { handlers, box, pool, roles } = deps
  const decide = decideOnParked(deps)
  const findReceived = receivedDeliveries(deps)

  const requireBody = async (id: string): Promise<ReceivedDelivery> => {
    const { expiresAt } = await handlers.deliveries.load(id, null)
    if (expiresAt === null) throw refuse('delivery_not_found')
    const received = await findReceived(streamName('webhookDelivery', id))
    if (isBodyGone(received)) throw refuse('delivery_body_gone')
    return received
  }

  return async (app) => {
    const readings = tenantReadings(deps)
    route(app, webhookLogEndpoints.preview, { roles, readings }, async (request) => {
      const { params, slice } = request
      const preview = await previewDelivery(await requireBody(params.id), handlers, deps, slice)
      for (const tenantId of tenantsIn(preview))
        await readings.record(request, { tenantId, what: 'delivery', record: `delivery:${params.id}` })
      return preview
    })

    route(app, webhookLogEndpoints.reprocess, { roles }, async (request, reply) => {
      const { id } = request.params
      await requireBody(id)
      const context = administratorContext(request, { tenant: null, reason: request.body?.reason })
      const workId = parkedWorkId(box, applyWorker, streamName('webhookDelivery', id))
      const parked = await findParked(pool, workId)
      const isParked = parked !== undefined && parked.request === null
      const outcome = await handlers.deliveries(id, { type: 'ReprocessDelivery', data: { isParked } }, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
      // The reason is erased with the delivery's buyer.
      const { reason: _, ...withoutReason } = context
      if (isParked) await decide(workId, 'RetryWork', withoutReason)
      return reply.code(202).send({ id })
    })
  }
}
