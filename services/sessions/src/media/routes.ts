import type { Readable } from 'node:stream'
import { mediaEndpoints } from '@prosa/contracts/http/media'
import { mediaId } from '@prosa/contracts/values/ids'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/product/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { MediaHandler } from './media-handler.ts'
import { finishUpload } from './queries.ts'
import { discardUpload, ReceivedFile, receiveUpload } from './receive-upload.ts'
import type { StorageReservations } from './storage/storage-reservations.ts'

type MediaPorts = Pick<Ports, 'pool' | 'clock' | 'files' | 'log' | 'entitlements'>

/** More than a busy team sends, but too little to fill the storage within an hour. */
const uploadLimits: readonly RateLimit[] = [
  { per: 'user', max: 600, windowSeconds: 3600, counts: 'requests', beyond: 'refuse' },
]

const upload =
  (ports: MediaPorts, medias: MediaHandler, reservations: StorageReservations): FastifyPluginAsync =>
  async (app) => {
    // The body is stored before the idempotency key is checked: its fingerprint identifies a repetition.
    app.addContentTypeParser('application/octet-stream', (request: FastifyRequest, body: Readable) =>
      receiveUpload(ports, reservations, request, body),
    )

    app.addHook('onResponse', async ({ user, body }) => {
      if (!(body instanceof ReceivedFile) || body.isUsed) return
      await discardUpload(ports, user.id, body.id).catch((error: unknown) =>
        ports.log.warn({ err: error }, 'upload not discarded, the cleanup deletes it'),
      )
    })

    route(app, mediaEndpoints.upload, { config: { takesFile: true, limits: uploadLimits } }, async (request, reply) => {
      const { body: received } = request
      if (!(received instanceof ReceivedFile)) throw refuse('malformed_body')
      const { file } = received
      // An earlier try of this request brought the same file.
      const id = await finishUpload(ports.pool, received.id, request.command.id)
      if (id === undefined) throw refuse('media_not_found')
      received.isUsed = id === received.id
      const data = { contactId: null, ...file }
      const outcome = await medias(id, { type: 'StoreMedia', data }, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return reply.code(201).send({ id, mediaType: file.mediaType, bytes: file.bytes })
    })
  }

export const mediaRoutes =
  (ports: MediaPorts, medias: MediaHandler, reservations: StorageReservations): FastifyPluginAsync =>
  async (app) => {
    await app.register(upload(ports, medias, reservations))

    route(app, mediaEndpoints.retry, async (request, reply) => {
      const { data: id } = mediaId.safeParse(request.params.id)
      if (id === undefined) throw refuse('media_not_found')
      const outcome = await medias(id, { type: 'AskMediaAgain', data: {} }, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return reply.code(202).send({ id })
    })
  }
