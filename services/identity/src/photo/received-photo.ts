import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { maximumPhotoBytes } from '@prosa/contracts/values/photo'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyRequest } from 'fastify'

export class ReceivedPhoto {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Identifies repeated requests. */
  toJSON(): unknown {
    return hash('sha256', this.bytes)
  }
}

const silenceMs = 30_000

const readUpTo = async (max: number, body: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > max) throw refuse('photo_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** By declared length, or at the first byte beyond the limit. */
export const receivePhoto = async ({ raw, headers }: FastifyRequest, body: Readable): Promise<ReceivedPhoto> => {
  if (Number(headers['content-length'] ?? 0) > maximumPhotoBytes) throw refuse('photo_too_large')
  raw.setTimeout(silenceMs, () => raw.destroy())
  body.once('end', () => raw.setTimeout(0))
  try {
    return new ReceivedPhoto(await readUpTo(maximumPhotoBytes, body))
  } catch (error) {
    // A client that aborted is not our error.
    throw raw.destroyed && !raw.complete ? refuse('malformed_body') : error
  }
}
