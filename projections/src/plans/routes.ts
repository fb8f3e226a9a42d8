import { kiwifyEndpoints } from '@prosa/contracts/http/accounts/kiwify'
import { type Plan, planEndpoints, type WebhookSetting } from '@prosa/contracts/http/accounts/plans'
import { type WebhookEndpoint, webhookEndpoint } from '@prosa/contracts/values/kiwify'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { purchaseLinkOf } from '@prosa/product/purchase-token'
import type { FastifyPluginAsync } from 'fastify'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { reading } from '../reading/reading.ts'
import { findLastReceived } from '../webhook-deliveries/queries.ts'
import { findOfferedPlans } from './queries.ts'

/** Kiwify's product is for administrators. */
const offered = ({ productId, productName, ...plan }: Plan) => plan

/** By webhook address. */
export type ConfiguredWebhooks = Readonly<
  Record<WebhookEndpoint, Pick<WebhookSetting, 'isConfigured' | 'hasShortToken'>>
>

export const planRoutes =
  (ports: Ports, configured: ConfiguredWebhooks): FastifyPluginAsync =>
  async (app) => {
    const { pool, box, roles, readModels } = ports
    const ofPlans = reading(ports, ['plans'])

    route(app, planEndpoints.offered, ofPlans, async ({ user }) => {
      const found = await findOfferedPlans(pool)
      return found.map(offered).map(({ purchaseUrl, ...plan }) => ({
        ...plan,
        purchaseUrl: purchaseUrl && purchaseLinkOf(box, purchaseUrl, user.id),
      }))
    })

    route(app, planEndpoints.public, { preHandler: readYourWrites(readModels, ['plans']) }, async () =>
      (await findOfferedPlans(pool)).map(offered),
    )

    route(app, planEndpoints.list, { ...ofPlans, roles }, () => findOfferedPlans(pool))

    const ofWebhooks = { preHandler: readYourWrites(readModels, ['webhook-deliveries']), roles }
    route(app, planEndpoints.webhooks, ofWebhooks, async () => {
      const last = await findLastReceived(pool)
      return webhookEndpoint.options.map((endpoint) => ({
        endpoint,
        path: kiwifyEndpoints[endpoint].path,
        ...configured[endpoint],
        lastReceivedAt: last.get(endpoint) ?? null,
      }))
    })
  }
