import { quickReplyEndpoints } from '@prosa/contracts/http/quick-replies'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { readingThen } from '../moments/reading-then.ts'
import { byName, rowsThen } from '../moments/rows-then.ts'
import { reading } from '../reading/reading.ts'
import { quickReplies } from './projection.ts'
import { findQuickReplies } from './queries.ts'

export const quickReplyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const then = rowsThen(ports, app.positions)
    const hooks = readingThen(ports, reading(ports, [quickReplies.name]), [])
    route(app, quickReplyEndpoints.list, hooks, async ({ user, query: { em } }) => {
      if (em === undefined) return findQuickReplies(ports.pool, user.id)
      const rows = await then(quickReplies, 'quickReply', { tenant: user.id, em })
      return rows.toSorted(byName).map(({ id, shortcut, content, isActive }) => ({ id, shortcut, content, isActive }))
    })
  }
