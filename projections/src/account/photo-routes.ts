import { profilePhotoEndpoints } from '@prosa/contracts/http/accounts/profile-photo'
import { photoFileName } from '@prosa/contracts/photo-file-name'
import { id as anyId } from '@prosa/contracts/values/ids'
import type { PhotoSize } from '@prosa/contracts/values/photo'
import { FileMissing } from '@prosa/kernel/files/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { findPhotoTenant } from './queries.ts'

const oneDaySeconds = 86_400

interface Asked {
  tenant: string
  photoId: string
  size: PhotoSize
  etag: string | undefined
}

/** A photo URL's content never changes: cached for this browser session. */
const send = async ({ files }: Pick<Ports, 'files'>, reply: FastifyReply, { tenant, photoId, size, etag }: Asked) => {
  const tag = `"${photoId}-${size}"`
  reply.headers({ etag: tag, 'cache-control': `private, max-age=${oneDaySeconds}, immutable`, vary: 'cookie' })
  if (etag?.includes(tag)) return reply.code(304).send()
  const { content, bytes } = await files.get(photoFileName(tenant, photoId, size))
  return reply
    .headers({ 'content-type': 'image/webp', 'content-length': bytes })
    .headers({ 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" })
    .send(content)
}

const forgetPhoto = async (_: FastifyRequest, reply: FastifyReply) => {
  if (reply.statusCode < 400) return
  for (const name of ['content-length', 'etag', 'vary']) reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
}

/** Readable by the account and administrators. */
export const photoRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports

    const findTenant = async (photoId: string, reader: string) => {
      const tenant = anyId.safeParse(photoId).success ? await findPhotoTenant(pool, photoId) : undefined
      if (tenant === undefined || tenant === reader) return tenant
      return (await roles.of(reader)).includes('admin') ? tenant : undefined
    }

    route(
      app,
      profilePhotoEndpoints.file,
      // Fastify's HEAD would read the whole file.
      { exposeHeadRoute: false, preHandler: readYourWrites(readModels, ['account']), onSend: forgetPhoto },
      async ({ params: { id: photoId }, query, user, headers }, reply) => {
        const tenant = await findTenant(photoId, user.id)
        if (tenant === undefined) throw refuse('photo_not_found')
        const asked = { tenant, photoId, size: Number(query.size) as PhotoSize, etag: headers['if-none-match'] }
        try {
          return await send(ports, reply, asked)
        } catch (error) {
          // Just replaced: the row follows.
          throw error instanceof FileMissing ? refuse('photo_not_found') : error
        }
      },
    )
  }
