import { Readable } from 'node:stream'
import { streamEndpoints } from '@prosa/contracts/http/streams'
import { catalogueEntry } from '@prosa/contracts/published/catalogue'
import type { Clock } from '@prosa/kernel/clock'
import { FileMissing } from '@prosa/kernel/files/port'
import type { VerifiedKey } from '@prosa/kernel/http/keys'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { ApiKeys } from '@prosa/product/keys/api-keys'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { askedRange } from '../../byte-range.ts'
import type { KeySlots } from '../key-slots.ts'
import type { DayFiles, ReadyDay } from './day-files.ts'
import { dayEncoder, endOfDay, nameOfFile, platform } from './make-day.ts'

interface Deps extends Pick<Ports, 'files' | 'clock'> {
  keys: ApiKeys
  days: DayFiles
  slots: KeySlots
}

/** For events that were recorded before midnight and are appended after it. */
const closingMs = 10 * 60_000

const closedDay = (text: string, clock: Clock): string => {
  const { data: day } = z.iso.date().safeParse(text)
  if (day === undefined || Date.parse(clock.now()) < Date.parse(endOfDay(day)) + closingMs)
    throw refuse('stream_day_open')
  return day
}

interface Content {
  bytes: number
  etag: string
  read(range?: { from: number; to: number }): Promise<Readable>
}

/** RFC 9110: HEAD, If-None-Match, If-Match, Range with If-Range. */
const send = async ({ headers, method }: FastifyRequest, reply: FastifyReply, { bytes, etag, read }: Content) => {
  reply
    .header('content-type', 'application/vnd.apache.parquet')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization')
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
  const names = (header: string) => header.trim() === '*' || header.includes(etag)
  if (headers['if-match'] !== undefined && !names(headers['if-match'])) return reply.code(412).send()
  if (headers['if-none-match'] !== undefined && names(headers['if-none-match'])) return reply.code(304).send()
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? askedRange(headers.range, bytes) : undefined
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  if (range) reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${bytes}`)
  reply.header('content-length', range ? range.to - range.from + 1 : bytes)
  return reply.send(method === 'HEAD' ? Readable.from([]) : await read(range))
}

/** A day without events of the type: a file with its columns. */
const emptyFile = (type: string, etag: string): Content => {
  const content = dayEncoder(type).end()
  return {
    bytes: content.length,
    etag,
    read: async (range) => Readable.from([range ? content.subarray(range.from, range.to + 1) : content]),
  }
}

const contentOf = ({ files }: Pick<Ports, 'files'>, { id, files: known }: ReadyDay, type: string): Content => {
  const file = known.find((each) => each.type === type)
  if (!file) return emptyFile(type, `"empty-${id}"`)
  return {
    bytes: file.bytes,
    etag: `"${file.sha256}"`,
    async read(range) {
      try {
        return (await files.get(nameOfFile(id, type), range)).content
      } catch (error) {
        // Dropped just now: another one follows.
        throw error instanceof FileMissing ? refuse('stream_day_in_preparation') : error
      }
    },
  }
}

export const dayRoutes =
  ({ keys, days, slots, clock, files }: Deps): FastifyPluginAsync =>
  async (app) => {
    const readyDay = async (key: VerifiedKey, day: string, reply: FastifyReply): Promise<ReadyDay> => {
      if (key.withPersonal) throw refuse('stream_day_without_personal')
      const ready = await days.ready({ reader: key.reach === 'platform' ? platform : key.userId, day })
      if (ready) return ready
      reply.header('retry-after', '5')
      throw refuse('stream_day_in_preparation')
    }
    const record = (request: FastifyRequest, day: string, types: string[]) =>
      keys.recordExport(request, {
        ...{ services: [], types, tenant: null, isLive: false },
        ...{ since: `${day}T00:00:00.000Z`, until: endOfDay(day) },
      })
    const within = async <T>(key: VerifiedKey, reply: FastifyReply, work: () => Promise<T>): Promise<T> => {
      slots.take(key.id)
      reply.raw.once('close', () => slots.release(key.id))
      return work()
    }

    route(app, streamEndpoints.day, { keys }, async (request, reply) => {
      const day = closedDay(request.params.day, clock)
      return within(request.apiKey, reply, async () => {
        await record(request, day, [])
        const { files: known } = await readyDay(request.apiKey, day, reply)
        return {
          day,
          files: known.map(({ type, events, bytes, sha256 }) => ({
            ...{ type, events, bytes, etag: `"${sha256}"` },
            path: `/api/streams/days/${day}/${type}.parquet`,
          })),
        }
      })
    })

    route(app, streamEndpoints.dayFile, { keys }, async (request, reply) => {
      const day = closedDay(request.params.day, clock)
      const type = /^(.+)\.parquet$/.exec(request.params.file)?.[1] ?? ''
      if (!catalogueEntry(type)) throw refuse('stream_type_unknown')
      return within(request.apiKey, reply, async () => {
        await record(request, day, [type])
        const ready = await readyDay(request.apiKey, day, reply)
        return send(request, reply, contentOf({ files }, ready, type))
      })
    })
  }
