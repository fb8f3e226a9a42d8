import { supportEndpoints } from '@prosa/contracts/http/accounts/support'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { decodeCursor, logPosition } from '../cursor.ts'
import { pageFrom } from '../page.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { findSupportRequests, shownSupportRequest } from './queries.ts'

const pageSize = 50

export interface SupportChannels {
  email?: string | null | undefined
  phone?: string | null | undefined
  chatUrl?: string | null | undefined
}

export const supportRoutes =
  (ports: Ports, { email = null, phone = null, chatUrl = null }: SupportChannels): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports
    route(app, supportEndpoints.channels, async () => ({ email, phone, chatUrl }))

    const readings = tenantReadings(ports)
    const hooks = { preHandler: readYourWrites(readModels, ['support-requests']), roles, readings }
    route(app, supportEndpoints.list, hooks, async ({ query: { open, cursor } }) => {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
      const found = await findSupportRequests(pool, { onlyOpen: open === 'true', before, limit: pageSize + 1 })
      return pageFrom(found, pageSize, ({ place }) => [place], shownSupportRequest)
    })
  }
