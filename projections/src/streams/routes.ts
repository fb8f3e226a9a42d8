import { pipeline, Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { streamEndpoints } from '@prosa/contracts/http/streams'
import { asyncApi } from '@prosa/contracts/published/async-api'
import { catalogueEntry, shownCatalogue } from '@prosa/contracts/published/catalogue'
import { beginning } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { apiKeys } from '@prosa/product/keys/api-keys'
import { publishEvents, publishWithPersonal } from '@prosa/product/publishing/publish-events'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { exportEvents, type Question, ReadingRefused } from './export-events.ts'

/** Of one key, in one process. */
const maxAtOnce = 4
/** Revoked or expired keys read no longer than this. */
const keyCheckMs = 5000
/** A reader who takes nothing. */
const stallMs = 2 * 60 * 1000

/** Node 20 has no zstd, and its types neither. */
const { createZstdCompress } = zlib as { createZstdCompress?: (options: { flush: number }) => Transform }
/** ZSTD_e_flush */
const zstdFlush = 1

/** Flushed at each piece, so that what follows live is seen at once. */
const compressionOf = (accepted: string): { encoding: string; stream: Transform } | undefined => {
  if (/\bzstd\b/.test(accepted) && createZstdCompress)
    return { encoding: 'zstd', stream: createZstdCompress({ flush: zstdFlush }) }
  if (!/\bgzip\b/.test(accepted)) return undefined
  return { encoding: 'gzip', stream: zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH }) }
}

const send = (
  reply: FastifyReply,
  lines: AsyncGenerator<string>,
  accepted: string,
  onEnd: (error: unknown) => void,
) => {
  const source = Readable.from(lines, { objectMode: false })
  const compression = compressionOf(accepted)
  const output = compression
    ? pipeline(source, compression.stream, (error) => onEnd(error))
    : source.on('close', () => onEnd(source.errored))
  if (compression) reply.header('content-encoding', compression.encoding)
  reply.raw.setTimeout(stallMs, () => source.destroy())
  return reply
    .header('content-type', 'application/x-ndjson; charset=utf-8')
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'accept-encoding')
    .send(output)
}

/** Each key's answers that are under way. */
const slotsOfKeys = () => {
  const taken = new Map<string, number>()
  const add = (key: string, change: number) => {
    const now = (taken.get(key) ?? 0) + change
    if (now > 0) taken.set(key, now)
    else taken.delete(key)
  }
  return {
    take(key: string) {
      if ((taken.get(key) ?? 0) >= maxAtOnce) throw refuse('too_many_streams')
      add(key, 1)
    },
    release: (key: string) => add(key, -1),
  }
}

export const streamRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { log } = ports
    const keys = apiKeys(ports)
    const slots = slotsOfKeys()
    const publishPseudonyms = publishEvents(ports)

    route(app, streamEndpoints.catalogue, () => shownCatalogue())
    route(app, streamEndpoints.asyncApi, () => asyncApi())

    route(app, streamEndpoints.events, { keys, exposeHeadRoute: false }, async (request, reply) => {
      const { apiKey: key, query, id: correlationId } = request
      const { after: asked, upTo: wantedUpTo, ...filters } = query
      if (filters.type?.some((type) => !catalogueEntry(type))) throw refuse('stream_type_unknown')
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
      let checkedAt = performance.now()
      const question: Question = {
        after,
        upTo,
        owner: key.reach === 'platform' ? null : key.userId,
        query: filters,
        publish: key.withPersonal ? publishWithPersonal : publishPseudonyms,
        tokenOf: (position) => app.positions.tokenOf(reader, position),
        async mayGoOn() {
          if (performance.now() - checkedAt < keyCheckMs) return true
          checkedAt = performance.now()
          return keys.isValid(key)
        },
      }
      const onEnd = (error: unknown) => {
        slots.release(key.id)
        if (error && !(error instanceof ReadingRefused) && !ended.signal.aborted)
          log.error({ err: error, correlationId }, 'reading of events given up')
      }
      return send(reply, exportEvents(ports, question, ended.signal), request.headers['accept-encoding'] ?? '', onEnd)
    })
  }
