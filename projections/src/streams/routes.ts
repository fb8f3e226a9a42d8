import { streamEndpoints } from '@prosa/contracts/http/streams'
import { asyncApi } from '@prosa/contracts/published/async-api'
import { catalogueEntry, shownCatalogue } from '@prosa/contracts/published/catalogue'
import { beginning } from '@prosa/kernel/event-store/port'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { apiKeys } from '@prosa/product/keys/api-keys'
import { columnsOf } from '@prosa/product/publishing/event-rows'
import { publishEvents, publishWithPersonal } from '@prosa/product/publishing/publish-events'
import type { FastifyPluginAsync } from 'fastify'
import { tableRoutes } from '../analytics/routes.ts'
import { keyChecks, send } from '../answer.ts'
import { dayFiles } from './days/day-files.ts'
import { dayRoutes } from './days/routes.ts'
import { keySlots } from './key-slots.ts'
import { formats, type Question, ReadingEnded, readEvents, typesOf } from './read-events.ts'

/** Of one key, in one process. */
const maxAtOnce = 4
/** Readers of Parquet ask for parts of files side by side. */
const maxFilesAtOnce = 32

export const streamRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { log } = ports
    const keys = apiKeys(ports)
    const slots = keySlots(maxAtOnce)
    const publishPseudonyms = publishEvents(ports)
    const times = logTimes(ports)
    const closing = new AbortController()
    const days = dayFiles({ ...ports, times, publish: publishPseudonyms }, closing.signal)
    app.addHook('onClose', async () => {
      closing.abort()
      await days.idle()
    })
    tableRoutes(app, ports, { keys, slots })

    route(app, streamEndpoints.catalogue, () => shownCatalogue())
    route(app, streamEndpoints.asyncApi, () => asyncApi())
    await app.register(dayRoutes({ ...ports, keys, days, slots: keySlots(maxFilesAtOnce) }))

    route(app, streamEndpoints.events, { keys, exposeHeadRoute: false }, async (request, reply) => {
      const { apiKey: key, query, id: correlationId } = request
      const { after: asked, upTo: wantedUpTo, format: formatName = 'ndjson', ...filters } = query
      if (filters.type?.some((type) => !catalogueEntry(type))) throw refuse('stream_type_unknown')
      if (filters.live === 'true' && formatName !== 'ndjson') throw refuse('stream_follows_as_text')
      const reader = `streams ${key.reach === 'platform' ? 'platform' : key.userId}`
      const after = asked === undefined ? beginning : app.positions.latestOf(reader, asked)
      const upTo = wantedUpTo === undefined ? undefined : app.positions.latestOf(reader, wantedUpTo)
      if (after === undefined || (wantedUpTo !== undefined && upTo === undefined))
        throw refuse('stream_position_unknown')
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
        upTo,
        tenant: key.reach === 'platform' ? null : key.userId,
        query: filters,
        publish: key.withPersonal ? publishWithPersonal : publishPseudonyms,
        tokensOf: (positions) => app.positions.tokensOf(reader, positions),
        mayGoOn: keyChecks(keys, key),
      }
      const onEnd = (error: unknown) => {
        slots.release(key.id)
        if (error && !ended.signal.aborted && !(error instanceof ReadingEnded))
          log.error({ err: error, correlationId }, 'reading of events given up')
      }
      const format = formats[formatName]
      const events = readEvents({ ...ports, times }, question, ended.signal)
      const pieces = format.write(events, columnsOf(typesOf(filters), key.withPersonal))
      return send(reply, format, pieces, request.headers['accept-encoding'] ?? '', onEnd)
    })
  }
