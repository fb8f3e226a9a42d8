import { streamEndpoints } from '@prosa/contracts/http/streams'
import { asyncApi } from '@prosa/contracts/published/async-api'
import { catalogueEntry, shownCatalogue } from '@prosa/contracts/published/catalogue'
import { beginning } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { apiKeys } from '@prosa/product/keys/api-keys'
import { publishEvents, publishWithPersonal } from '@prosa/product/publishing/publish-events'
import type { FastifyPluginAsync } from 'fastify'
import { tableRoutes } from '../analytics/routes.ts'
import { keyChecks, send } from '../answer.ts'
import { exportEvents, type Question } from './export-events.ts'
import { keySlots } from './key-slots.ts'

/** Of one key, in one process. */
const maxAtOnce = 4
const ndjson = { contentType: 'application/x-ndjson; charset=utf-8', isText: true }

export const streamRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { log } = ports
    const keys = apiKeys(ports)
    const slots = keySlots(maxAtOnce)
    const publishPseudonyms = publishEvents(ports)
    tableRoutes(app, ports, { keys, slots })

    route(app, streamEndpoints.catalogue, () => shownCatalogue())
    route(app, streamEndpoints.asyncApi, () => asyncApi())

    route(app, streamEndpoints.events, { keys, exposeHeadRoute: false }, async (request, reply) => {
      const { apiKey: key, query, id: correlationId } = request
      const { after: asked, ...filters } = query
      if (filters.type?.some((type) => !catalogueEntry(type))) throw refuse('stream_type_unknown')
      const reader = `streams ${key.reach === 'platform' ? 'platform' : key.userId}`
      const after = asked === undefined ? beginning : app.positions.latestOf(reader, asked)
      if (after === undefined) throw refuse('stream_position_unknown')
      slots.take(key.id)
      try {
        await keys.recordExport(request, {
          services: filters.service ?? [],
          types: filters.type ?? [],
          tenant: filters.tenant ?? null,
          since: filters.since ?? null,
          until: filters.until ?? null,
          isLive: filters.live === 'true',
        })
      } catch (error) {
        slots.release(key.id)
        throw error
      }
      const ended = new AbortController()
      reply.raw.once('close', () => ended.abort())
      const question: Question = {
        after,
        owner: key.reach === 'platform' ? null : key.userId,
        query: filters,
        publish: key.withPersonal ? publishWithPersonal : publishPseudonyms,
        tokenOf: (position) => app.positions.tokenOf(reader, position),
        mayGoOn: keyChecks(keys, key),
      }
      const onEnd = (error: unknown) => {
        slots.release(key.id)
        if (error && !ended.signal.aborted) log.error({ err: error, correlationId }, 'reading of events given up')
      }
      const lines = exportEvents(ports, question, ended.signal)
      return send(reply, ndjson, lines, request.headers['accept-encoding'] ?? '', onEnd)
    })
  }
