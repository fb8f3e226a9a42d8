import { usageEndpoints } from '@prosa/contracts/http/accounts/usage'
import { later } from '@prosa/kernel/clock'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/product/ports'
import type { FastifyPluginAsync } from 'fastify'
import { holdsUntil, reading } from '../reading/reading.ts'

/** Replies expire soon: time ends access and months, and plan names are no tenant's rows. */
const restMs = 60_000

export const usageRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, usageEndpoints.read, reading(ports, ['usage', 'account']), async ({ user }, reply) => {
      const now = ports.clock.now()
      const found = await ports.entitlements.of(user.id)
      const ends = [later(now, restMs), found.endsAt ?? '', found.graceEndsAt ?? '', found.confirmEmailBy ?? '']
      const [first = now] = ends.filter((end) => end > now).sort()
      holdsUntil(reply, first)
      return found
    })
  }
