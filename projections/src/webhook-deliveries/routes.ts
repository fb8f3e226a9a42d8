import { webhookLogEndpoints } from '@prosa/contracts/http/accounts/webhook-logs'
import { streamName } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { decodeCursor, encodeCursor, logPosition } from '../cursor.ts'
import { recordKey } from '../history/records.ts'
import { tenantOfRecord } from '../history/tenant-of-record.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { reading } from '../reading/reading.ts'
import { findDeliveries, findDelivery } from './queries.ts'
import { deliveryDetail, shownDelivery } from './shown-delivery.ts'

const pageSize = 50

/** From the log: its key decides readability. */
const readBody = async ({ store, codec }: Pick<Ports, 'store' | 'codec'>, id: string): Promise<string> => {
  for await (const page of store.read(streamName('webhookDelivery', id)))
    for (const event of await codec.decode(page.slice(0, 1)))
      if (event.type === 'DeliveryReceived' && event.data.body !== erasedText)
        return Buffer.from(event.data.body, 'base64').toString()
  return erasedText
}

export const webhookDeliveryRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports
    // `account`: a revoked role must not get 304.
    const hooks = { ...reading(ports, ['webhook-deliveries', 'account']), roles }

    route(app, webhookLogEndpoints.list, hooks, async ({ query: { status, search, cursor: from } }) => {
      const [before] = from === undefined ? [] : decodeCursor(from, logPosition)
      const found = await findDeliveries(pool, { status, search: search?.trim(), before, limit: pageSize + 1 })
      const page = found.slice(0, pageSize)
      const last = page.at(-1)
      return {
        items: page.map(shownDelivery),
        nextCursor: last && found.length > pageSize ? encodeCursor([last.place]) : null,
      }
    })

    // No tag: a body may become unreadable without a row change.
    const readings = tenantReadings(ports)
    const preHandler = readYourWrites(readModels, ['webhook-deliveries', 'history-links'])
    route(app, webhookLogEndpoints.get, { preHandler, roles, readings }, async (request) => {
      const { id } = request.params
      const row = await findDelivery(pool, id)
      if (!row) throw refuse('delivery_not_found')
      const [tenantId, record] = [await tenantOfRecord(pool, 'delivery', id), recordKey('delivery', id)]
      await readings.record(request, { tenantId, what: 'delivery', record })
      const body = row.hasExpired ? erasedText : await readBody(ports, id)
      return deliveryDetail(row, body, body === erasedText)
    })
  }
