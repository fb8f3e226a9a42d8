import type { Readable } from 'node:stream'
import { mediaAccepted, mediaRetried } from '@prosa/contracts/http/live-chat'
import { mediaId } from '@prosa/contracts/values/ids'
import { replyPosition, requireUser } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { RateLimit } from '@prosa/kernel/http/rate-limits'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { MediaHandler } from './media-handler.ts'
import { finishUpload } from './queries.ts'
import { discardUpload, ReceivedFile, receiveUpload } from './receive-upload.ts'
import type { FileRoom } from './room/file-room.ts'

type MediaPorts = Pick<Ports, 'pool' | 'clock' | 'files' | 'log'>

/** More than a busy desk sends, and little enough that nobody fills the storage within an hour. */
const uploadLimits: readonly RateLimit[] = [
  { per: 'user', max: 600, windowSeconds: 3600, counts: 'requests', beyond: 'refuse' },
]

const upload =
  (ports: MediaPorts, medias: MediaHandler, room: FileRoom): FastifyPluginAsyncZod =>
  async (app) => {
    // The body is in the storage before anybody looks at the request's key: repetitions are known by its fingerprint.
    app.addContentTypeParser('application/octet-stream', (request: FastifyRequest, body: Readable) =>
      receiveUpload(ports, room, request, body),
    )

    app.addHook('onResponse', async ({ user, body }) => {
      if (!(body instanceof ReceivedFile) || body.isKept) return
      await discardUpload(ports, user.id, body.id).catch((error: unknown) =>
        ports.log.warn({ err: error }, 'an upload is left for the sweep'),
      )
    })

    app.post(
      '/api/whatsapp/media',
      { config: { takesFile: true, limits: uploadLimits }, schema: { response: { 201: mediaAccepted } } },
      async (request, reply) => {
        const { body: received } = request
        if (!(received instanceof ReceivedFile)) throw refuse('malformed_body')
        const { file } = received
        // The earlier try of this request, if there was one, brought the same file.
        const id = await finishUpload(ports.pool, received.id, request.command.id)
        if (id === undefined) throw refuse('media_not_found')
        received.isKept = id === received.id
        const data = { contactId: null, ...file }
        const outcome = await medias(id, { type: 'StoreMedia', data }, commandContext(request))
        if (!outcome.ok) throw refuse(outcome.rejected)
        replyPosition(reply, outcome.position)
        return reply.code(201).send({ id, mediaType: file.mediaType, bytes: file.bytes })
      },
    )
  }

/** Takes files that are to be sent, and asks WhatsApp again for those that did not come. */
export const mediaRoutes =
  (ports: MediaPorts, medias: MediaHandler, room: FileRoom): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)
    await app.register(upload(ports, medias, room))

    app.post(
      '/api/whatsapp/media/:id/retry',
      { schema: { params: z.object({ id: z.string() }), response: { 202: mediaRetried } } },
      async (request, reply) => {
        const { data: id } = mediaId.safeParse(request.params.id)
        if (id === undefined) throw refuse('media_not_found')
        const outcome = await medias(id, { type: 'AskMediaAgain', data: {} }, commandContext(request))
        if (!outcome.ok) throw refuse(outcome.rejected)
        replyPosition(reply, outcome.position)
        return reply.code(202).send({ id })
      },
    )
  }
