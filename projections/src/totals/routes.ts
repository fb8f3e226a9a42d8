import { adminListEndpoints } from '@prosa/contracts/http/administration/admin-lists'
import { later } from '@prosa/kernel/clock'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { countProjects } from '../flows/queries.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { countEnding, soonMs } from '../users/queries.ts'
import { readMonths, readTotals, withoutGaps } from './queries.ts'

const months = 24
/** UTC−3 since 2019. */
const threeHoursMs = 3 * 3600 * 1000

export const totalsRoutes =
  ({ pool, roles, readModels, clock }: Ports): FastifyPluginAsync =>
  async (app) => {
    const shown = ['users', 'user-totals', 'order-totals', 'tenant-totals', 'flows']
    const options = { roles, preHandler: readYourWrites(readModels, shown) }

    const ofMonths = { roles, preHandler: readYourWrites(readModels, ['monthly-totals', 'transactions']) }
    route(app, adminListEndpoints.curves, ofMonths, async () => {
      const [year = 0, month = 0] = later(clock.now(), -threeHoursMs).split('-').map(Number)
      const from = new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 7)
      return withoutGaps(await readMonths(pool, from, new Date(`${from}-01T00:00:00-03:00`).toISOString()))
    })

    route(app, adminListEndpoints.summary, options, async () => {
      const now = clock.now()
      const { users: total, active, expired, cancelled, ...sums } = await readTotals(pool)
      const expiringSoon = await countEnding(pool, now, later(now, soonMs))
      return {
        users: { total, active, expired, cancelled, expiringSoon },
        contacts: readModels.unbuilt(['tenant-totals']).length > 0 ? null : sums.contacts,
        messages: sums.messages,
        projects: readModels.unbuilt(['flows']).length > 0 ? null : await countProjects(pool),
        revenue: { grossCents: sums.grossCents, netCents: sums.netCents },
      }
    })
  }
