import { openingHoursEndpoints } from '@prosa/contracts/http/opening-hours'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findOpeningHours } from './queries.ts'

export const openingHoursRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, openingHoursEndpoints.read, reading(ports, ['opening-hours']), ({ user }) =>
      findOpeningHours(ports.pool, user.id),
    )
  }
