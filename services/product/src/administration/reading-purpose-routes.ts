import { readingPurposeEndpoints } from '@prosa/contracts/http/administration/reading-purposes'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { tenantReadings } from './tenant-reading.ts'

export const readingPurposeRoutes = (ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'roles'>): FastifyPluginAsync => {
  const { roles } = ports
  const readings = tenantReadings(ports)
  return async (app) => {
    route(app, readingPurposeEndpoints.state, { roles }, async (request) => {
      const { tenantId, purpose, details } = request.body
      return { until: await readings.state(request, { tenantId, purpose, details }) }
    })
    route(app, readingPurposeEndpoints.current, { roles }, async (request) => ({
      until: await readings.until(request, request.query.tenantId ?? null),
    }))
  }
}
