import { Readable } from 'node:stream'
import { photoAddress, profilePhotoEndpoints } from '@prosa/contracts/http/accounts/profile-photo'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { photoFileName, photoFolder } from '@prosa/contracts/photo-file-name'
import { photoSizes } from '@prosa/contracts/values/photo'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import { photoLimits } from '../limits.ts'
import { photoSlots } from './photo-slots.ts'
import { ReceivedPhoto, receivePhoto } from './received-photo.ts'
import { type Squares, squaresOf } from './squares.ts'

export const photoRoutes = (
  { files }: Pick<Ports, 'files'>,
  { users }: Pick<Accounts, 'users'>,
): FastifyPluginAsync => {
  const storeSquares = async (tenant: string, photoId: string, squares: Squares) => {
    for (const size of photoSizes) {
      const bytes = squares[size]
      await files.put(photoFileName(tenant, photoId, size), Readable.from([bytes], { objectMode: false }), bytes.length)
    }
  }

  return async (app) => {
    app.addContentTypeParser('application/octet-stream', receivePhoto)
    const slots = photoSlots()
    app.addHook('preParsing', async ({ routeOptions, user, headers }, reply) => {
      if (!routeOptions.config.takesFile) return
      const release = await slots.take(user.id, headers[idempotencyKeyHeader]?.toString())
      // Who left while waiting.
      if (reply.raw.destroyed) release()
      else reply.raw.once('close', release)
    })

    route(
      app,
      profilePhotoEndpoints.change,
      { config: { limits: photoLimits, takesFile: true } },
      async (request, reply) => {
        const { user, body, command } = request
        if (!(body instanceof ReceivedPhoto)) throw refuse('photo_type_refused')
        const squares = await squaresOf(body.bytes)
        // A repeated request leads to the same files.
        const photoId = deriveId(command.id, 'photo')
        await storeSquares(user.id, photoId, squares)
        const outcome = await users(user.id, { type: 'ChangePhoto', data: { photoId } }, commandContext(request))
        if (!outcome.ok) {
          await files.deleteAll(photoFolder(user.id, photoId))
          throw refuse(outcome.rejected)
        }
        replyPosition(reply, outcome.position)
        return { profileImageUrl: photoAddress(photoId) }
      },
    )

    route(app, profilePhotoEndpoints.remove, async (request, reply) => {
      const { user } = request
      const outcome = await users(user.id, { type: 'RemovePhoto', data: {} }, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { profileImageUrl: null }
    })
  }
}
