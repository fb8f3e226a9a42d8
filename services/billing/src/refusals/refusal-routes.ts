import { webhookLogEndpoints } from '@prosa/contracts/http/accounts/webhook-logs'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { firstHourOfDay, hourOf } from './hours.ts'
import { findRefused, findRefusedSources, type RefusedCount } from './queries.ts'

const maxSources = 20

const sumOf = (counts: readonly RefusedCount[]) => counts.reduce((sum, { count }) => sum + count, 0)

/** Counts are in a table, not in the log. */
export const refusalRoutes =
  ({ pool, clock, roles }: Pick<Ports, 'pool' | 'clock' | 'roles'>): FastifyPluginAsync =>
  async (app) => {
    route(app, webhookLogEndpoints.refused, { roles }, async () => {
      const now = clock.now()
      const hours = { from: firstHourOfDay(now), to: hourOf(now) }
      const counted = await findRefused(pool, hours)
      const sources = await findRefusedSources(pool, hours, maxSources)
      return {
        count: sumOf(counted.filter(({ reason }) => reason !== 'unsigned')),
        unsigned: sumOf(counted.filter(({ reason }) => reason === 'unsigned')),
        sources: sources.map((source) => ({ ...source, address: source.address || null })),
      }
    })
  }
