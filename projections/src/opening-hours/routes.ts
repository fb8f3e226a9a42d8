import { openingHoursEndpoints } from '@prosa/contracts/http/opening-hours'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { readingThen } from '../moments/reading-then.ts'
import { rowsThen } from '../moments/rows-then.ts'
import { reading } from '../reading/reading.ts'
import { openingHours } from './projection.ts'
import { findOpeningHours, shownOpeningHours } from './queries.ts'

export const openingHoursRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const then = rowsThen(ports, app.positions)
    const hooks = readingThen(ports, reading(ports, [openingHours.name]), [])
    route(app, openingHoursEndpoints.read, hooks, async ({ user, query: { em } }) => {
      if (em === undefined) return findOpeningHours(ports.pool, user.id)
      const [row] = await then(openingHours, 'openingHours', { tenant: user.id, em })
      return shownOpeningHours(row)
    })
  }
