import { historyEndpoints } from '@prosa/contracts/http/history'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { decodeCursor, encodeCursor, logPosition } from '../cursor.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { type Asked, askedOf } from './asked.ts'
import { exportRoute } from './export/route.ts'
import { knownNames } from './names.ts'
import { findThreads } from './queries.ts'
import { recordHistoryReading } from './record-reading.ts'
import { showThreads } from './threads.ts'

const pageSize = 25

export const historyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    // Contact names and notes are personal data.
    const readings = tenantReadings(ports)
    const shown = ['history-places', 'history-links', 'account', 'connections']
    const hooks = { roles, readings, preHandler: readYourWrites(readModels, shown) }
    const searched = [
      ...[...shown, 'history-reasons', 'users', 'contact-directory', 'transactions'],
      ...['flows', 'flow-folders', 'plans'],
    ]

    const recordReading = recordHistoryReading(pool, readings)

    const pageOf = async ({ threads }: Asked, cursor: string | undefined, reader: string) => {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
      const found = await findThreads(pool, { ...threads, before, limit: pageSize + 1 })
      const page = found.slice(0, pageSize)
      const last = page.at(-1)
      return {
        items: await showThreads(ports, page, undefined, (position) => app.positions.tokenOf(reader, position)),
        nextCursor: last && found.length > pageSize ? encodeCursor([last]) : null,
      }
    }

    route(app, historyEndpoints.threads, hooks, async (request) => {
      const { cursor, search, ...filters } = request.query
      await recordReading(request, filters)
      const codes = filters.record === undefined ? search || undefined : undefined
      return pageOf(await askedOf(pool, { ...filters, codes }), cursor, request.user.id)
    })

    const searching = { roles, readings, preHandler: readYourWrites(readModels, searched) }
    route(app, historyEndpoints.search, searching, async ({ user, body: { cursor, ...filters } }) => {
      const asked = await askedOf(pool, filters)
      const names = await knownNames(pool, [], { more: asked.found })
      const found = asked.found.map(({ kind, id, name }) => ({ kind, id, name: name ?? names.record({ kind, id }) }))
      return { ...(await pageOf(asked, cursor, user.id)), found }
    })

    exportRoute(app, ports, searching)
  }
