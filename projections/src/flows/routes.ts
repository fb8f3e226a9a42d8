import { adminListEndpoints } from '@prosa/contracts/http/administration/admin-lists'
import { dashboardEndpoints } from '@prosa/contracts/http/dashboard'
import { flowEndpoints } from '@prosa/contracts/http/flows'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { decodeCursor, logPosition } from '../cursor.ts'
import { momentAsked } from '../moments/moment.ts'
import { readingThen } from '../moments/reading-then.ts'
import { pageFrom } from '../page.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { reading } from '../reading/reading.ts'
import { findFlows, findProjects, findProjectsOfAll, shownProjectOfAll } from './queries.ts'
import { readFlow, readFlowThen } from './read-flow.ts'

const projectsPageSize = 50

/** RFC 8187. */
const attachment = (name: string): string =>
  `attachment; filename="fluxo.json"; filename*=UTF-8''${encodeURIComponent(`${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim() || 'fluxo'}.json`).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

export const flowRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports

    route(app, flowEndpoints.list, reading(ports, ['flows']), ({ user }) => findFlows(pool, user.id))
    const ofFlow = readingThen(ports, reading(ports, ['flows']), [])
    route(app, flowEndpoints.read, ofFlow, async ({ user, params, query: { em } }) => {
      if (em === undefined) return readFlow(ports, user.id, params.id)
      return readFlowThen(ports, user.id, await momentAsked(ports, app.positions, user.id, em), params.id)
    })
    route(app, flowEndpoints.export, reading(ports, ['flows']), async ({ user, params }, reply) => {
      const { name, document } = await readFlow(ports, user.id, params.id)
      reply.header('content-disposition', attachment(name))
      return { format: 'prosa-flow' as const, version: 1 as const, name, document }
    })
    route(app, dashboardEndpoints.projects, reading(ports, ['flows']), ({ user }) => findProjects(pool, user.id))

    const preHandler = readYourWrites(readModels, ['flows', 'users'])
    const readings = tenantReadings(ports)
    route(app, adminListEndpoints.projects, { roles, readings, preHandler }, async ({ query: { cursor } }) => {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
      const found = await findProjectsOfAll(pool, { before, limit: projectsPageSize + 1 })
      return pageFrom(found, projectsPageSize, ({ place }) => [place], shownProjectOfAll)
    })
  }
