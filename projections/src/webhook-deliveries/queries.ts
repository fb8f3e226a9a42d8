import type { WebhookLogStatus } from '@prosa/contracts/http/accounts/webhook-logs'
import type { Instant } from '@prosa/contracts/values/instant'
import { type WebhookEndpoint, webhookEndpoint } from '@prosa/contracts/values/kiwify'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import { build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { type WebhookDeliveryRow, webhookDeliveryTable } from './table.ts'

const columns = selectList(webhookDeliveryTable)

export interface DeliveriesAsked {
  status?: WebhookLogStatus
  /** Prefix of an order's id or reference. */
  search?: string
  /** Log position. */
  before?: string
  limit: number
}

/** Sorts after every text with the prefix (`collate "C"`). */
const endOf = (prefix: string) => `${prefix}\u{10FFFF}`

/** Latest first. */
export const findDeliveries = async (
  pool: Pool,
  { status, search, before, limit }: DeliveriesAsked,
): Promise<WebhookDeliveryRow[]> => {
  const list = build('webhook_delivery').select(build.raw(columns))
  if (status) list.where('status', status)
  if (before) list.where('place', '<', before)
  if (search) {
    const letters = search.toLowerCase()
    list.where((found) =>
      found
        .whereBetween('order_id', [search, endOf(search)])
        .orWhereRaw('lower(order_ref) collate "C" between ? and ?', [letters, endOf(letters)]),
    )
  }
  list.orderBy('place', 'desc').limit(limit)
  const { rows } = await pool.query<WebhookDeliveryRow>(built(list))
  return rows
}

export const findDelivery = async (pool: Pool, id: string): Promise<WebhookDeliveryRow | undefined> => {
  const { rows } = await pool.query<WebhookDeliveryRow>({
    name: 'webhook delivery',
    text: `select ${columns} from webhook_delivery where id = $1`,
    values: [id],
  })
  return rows[0]
}

/** Including repeated bytes. */
export const findLastReceived = async (pool: Pool): Promise<Map<WebhookEndpoint, Instant>> => {
  const { rows } = await pool.query<{ endpoint: WebhookEndpoint; lastAt: Instant }>({
    name: 'last webhook deliveries',
    text: `select endpoint, last_received_at as "lastAt" from unnest($1::text[]) as asked (endpoint)
           cross join lateral (select last_received_at from webhook_delivery d where d.endpoint = asked.endpoint
             order by last_received_at desc limit 1) latest`,
    values: [webhookEndpoint.options],
  })
  return new Map(rows.map(({ endpoint, lastAt }) => [endpoint, lastAt]))
}
