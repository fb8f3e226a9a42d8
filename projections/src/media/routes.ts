import { mediaEndpoints } from '@prosa/contracts/http/media'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import { mediaId } from '@prosa/contracts/values/ids'
import { FileMissing } from '@prosa/kernel/files/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { askedRange } from '../byte-range.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { dispositionOf } from './disposition.ts'
import { findMedia } from './queries.ts'

const oneDaySeconds = 86_400

interface ReadyFile {
  tenant: string
  id: string
  mediaType: string
  bytes: number
  sha256: string
}

const contentOf = async (
  { files }: Pick<Ports, 'files'>,
  { tenant, id }: ReadyFile,
  range?: { from: number; to: number },
) => {
  try {
    return (await files.get(mediaFileName(tenant, id), range)).content
  } catch (error) {
    // Just erased: the row follows.
    throw error instanceof FileMissing ? refuse('media_not_found') : error
  }
}

/** Untrusted content: inline only if harmless, sandboxed, no sniffing. Cached for a day in this session. */
const describe = (reply: FastifyReply, { mediaType, sha256 }: ReadyFile, download: string | undefined) =>
  reply
    .header('content-type', mediaType)
    .header('content-disposition', dispositionOf(mediaType, download))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', `private, max-age=${oneDaySeconds}, immutable`)
    .header('vary', 'cookie')
    .header('accept-ranges', 'bytes')
    .header('etag', `"${sha256}"`)

const send = async (
  ports: Pick<Ports, 'files'>,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: ReadyFile,
  download: string | undefined,
) => {
  const { bytes, sha256 } = file
  describe(reply, file, download)
  if (headers['if-none-match']?.includes(`"${sha256}"`)) return reply.code(304).send()
  const isSame = headers['if-range'] === undefined || headers['if-range'] === `"${sha256}"`
  const range = isSame ? askedRange(headers.range, bytes) : undefined
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${bytes}`).type('text/plain').send('')
  if (range === undefined) return reply.header('content-length', bytes).send(await contentOf(ports, file))
  const { from, to } = range
  return reply
    .code(206)
    .header('content-range', `bytes ${from}-${to}/${bytes}`)
    .header('content-length', to - from + 1)
    .send(await contentOf(ports, file, range))
}

const forgetFile = async (_: FastifyRequest, reply: FastifyReply) => {
  if (reply.statusCode < 400 || reply.statusCode === 416) return
  for (const name of ['content-disposition', 'content-length', 'content-range', 'accept-ranges', 'etag', 'vary'])
    reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
}

export const mediaRoutes =
  (ports: Pick<Ports, 'pool' | 'files' | 'readModels'>): FastifyPluginAsync =>
  async (app) => {
    route(
      app,
      mediaEndpoints.file,
      {
        // Fastify's HEAD would read the whole file.
        exposeHeadRoute: false,
        preHandler: readYourWrites(ports.readModels, ['media']),
        onSend: forgetFile,
      },
      async (request, reply) => {
        const { data: id } = mediaId.safeParse(request.params.id)
        const tenant = request.user.id
        const row = id === undefined ? undefined : await findMedia(ports.pool, tenant, id)
        if (row?.status === 'waiting') throw refuse('media_not_ready')
        const { status, mediaType = null, bytes = null, sha256 = null } = row ?? {}
        if (id === undefined || status !== 'ready' || mediaType === null || bytes === null || sha256 === null)
          throw refuse('media_not_found')
        return send(ports, request, reply, { tenant, id, mediaType, bytes, sha256 }, request.query.download)
      },
    )
  }
