import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { mediaLimits } from '@prosa/contracts/http/live-chat'
import { mediaFileName, mediaFolder } from '@prosa/contracts/media-file-name'
import { later } from '@prosa/kernel/clock'
import { FileTooLarge } from '@prosa/kernel/files/port'
import { refuse } from '@prosa/kernel/http/problem'
import { requireAccess } from '@prosa/product/entitlements/refuse-beyond-plan'
import type { Ports } from '@prosa/product/ports'
import type { FastifyRequest } from 'fastify'
import { findMediaType, isProgram } from './media-type.ts'
import { withoutMetadata } from './metadata/without-metadata.ts'
import { addUpload, dropUpload } from './queries.ts'
import { endUpload, recordUpload } from './storage/queries.ts'
import type { StorageReservations } from './storage/storage-reservations.ts'
import { bytesOf } from './stored-media.ts'

type UploadPorts = Pick<Ports, 'pool' | 'clock' | 'files' | 'entitlements'>

const maxBytes = mediaLimits.document.bytes
const silenceMs = 30_000
const unsentMs = 24 * 3600 * 1000

/** Already stored; deleted again unless `isUsed`. */
export class ReceivedFile {
  isUsed = false
  readonly id: string
  readonly file: { mediaType: string; bytes: number; sha256: string }

  constructor(id: string, file: ReceivedFile['file']) {
    this.id = id
    this.file = file
  }

  /** Identifies a repeated request. */
  toJSON(): unknown {
    return this.file
  }
}

export const discardUpload = async (
  { pool, files }: Pick<Ports, 'pool' | 'files'>,
  tenant: string,
  id: string,
): Promise<void> => {
  await files.deleteAll(mediaFolder(tenant, id))
  await dropUpload(pool, id)
}

const store = async ({ files }: UploadPorts, name: string, body: Readable) => {
  const content = Readable.from(withoutMetadata(body), { objectMode: false })
  const stored = await files.put(name, content, maxBytes)
  if (stored.bytes === 0) throw refuse('media_empty')
  const mediaType = await findMediaType(bytesOf(files, name, stored.bytes))
  if (isProgram(mediaType)) throw refuse('media_type_refused')
  return { ...stored, mediaType }
}

/** Throws `FileTooLarge`. */
const counted = (body: Readable, max: number) => {
  let bytes = 0
  const through = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > max) throw new FileTooLarge(`more than ${max} bytes`)
      yield chunk
    }
  }
  return { content: Readable.from(through(), { objectMode: false }), sent: () => bytes }
}

/** undefined for a chunked body. */
const lengthOf = ({ headers }: FastifyRequest): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/**
 * Pictures lose their metadata. Too large, empty, executable and interrupted files are deleted. Exceeded quotas are refused before the
 * first byte.
 */
export const receiveUpload = async (
  ports: UploadPorts,
  reservations: StorageReservations,
  request: FastifyRequest,
  body: Readable,
): Promise<ReceivedFile> => {
  const length = lengthOf(request)
  if (length !== undefined && length > maxBytes) throw refuse('media_too_large')
  const { raw, user } = request
  const id = randomUUID()
  const tenant = user.id
  requireAccess(await ports.entitlements.of(tenant))
  const reserved = await reservations.reserveUpload({ id, tenant }, length, maxBytes)
  const { content, sent } = counted(body, reserved.bytes)
  try {
    const deleteAt = later(ports.clock.now(), unsentMs)
    await addUpload(ports.pool, { id, tenant, correlationId: request.id, deleteAt })
    raw.setTimeout(silenceMs, () => raw.destroy())
    body.once('end', () => raw.setTimeout(0))
    const file = await store(ports, mediaFileName(tenant, id), content)
    await recordUpload(ports.pool, id, file.bytes, sent())
    return new ReceivedFile(id, file)
  } catch (error) {
    await discardUpload(ports, tenant, id)
    await endUpload(ports.pool, id, sent())
    if (error instanceof FileTooLarge)
      throw reserved.beyond ? await reservations.refusalOf(tenant, reserved.beyond, 1) : refuse('media_too_large')
    // The client disconnected: no error of ours.
    if (raw.destroyed && !raw.complete) throw refuse('malformed_body')
    throw error
  }
}
