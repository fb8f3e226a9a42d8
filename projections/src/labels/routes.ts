import { labelEndpoints } from '@prosa/contracts/http/labels'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { readingThen } from '../moments/reading-then.ts'
import { byName, rowsThen } from '../moments/rows-then.ts'
import { reading } from '../reading/reading.ts'
import { labels } from './projection.ts'
import { findLabels } from './queries.ts'

export const labelRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const then = rowsThen(ports, app.positions)
    const hooks = readingThen(ports, reading(ports, [labels.name]), [])
    route(app, labelEndpoints.list, hooks, async ({ user, query: { em } }) => {
      if (em === undefined) return findLabels(ports.pool, user.id)
      const rows = await then(labels, 'label', { tenant: user.id, em })
      return rows.toSorted(byName).map(({ id, name, colour }) => ({ id, name, colour }))
    })
  }
