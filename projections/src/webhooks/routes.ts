import { type WebhookShown, webhookEndpoints } from '@prosa/contracts/http/webhooks'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import { reading } from '../reading/reading.ts'

type Row = Omit<WebhookShown, 'types'> & { types: string }

/** The oldest first. */
export const findWebhooks = async (pool: Pool, tenant: string): Promise<WebhookShown[]> => {
  const { rows } = await pool.query<Row>({
    name: 'webhooks of tenant',
    text: `select id, name, address, types, with_personal as "withPersonal", status, disabled_cause as "disabledCause",
             created_at as "createdAt", status_since as "statusSince"
           from webhook where owner = $1 order by created_at, id`,
    values: [tenant],
  })
  return rows.map((row) => ({ ...row, types: row.types.split(' ') }))
}

export const webhookRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, webhookEndpoints.list, reading(ports, ['webhooks']), ({ user }) => findWebhooks(ports.pool, user.id))
  }
