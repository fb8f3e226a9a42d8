import { pipeline, Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { VerifiedKey } from '@prosa/kernel/http/keys'
import type { ApiKeys } from '@prosa/product/keys/api-keys'
import type { FastifyReply } from 'fastify'

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

export const send = (
  reply: FastifyReply,
  { contentType, isText }: { contentType: string; isText: boolean },
  pieces: AsyncGenerator<string | Uint8Array>,
  accepted: string,
  onEnd: (error: unknown) => void,
) => {
  const source = Readable.from(pieces, { objectMode: false })
  const compression = isText ? compressionOf(accepted) : undefined
  const output = compression
    ? pipeline(source, compression.stream, (error) => onEnd(error))
    : source.on('close', () => onEnd(source.errored))
  if (compression) reply.header('content-encoding', compression.encoding)
  reply.raw.setTimeout(stallMs, () => source.destroy())
  return reply
    .header('content-type', contentType)
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'accept-encoding')
    .send(output)
}

/** For an answer under way: asks again every five seconds. */
export const keyChecks = (keys: Pick<ApiKeys, 'isValid'>, key: VerifiedKey): (() => Promise<boolean>) => {
  let checkedAt = performance.now()
  return async () => {
    if (performance.now() - checkedAt < keyCheckMs) return true
    checkedAt = performance.now()
    return keys.isValid(key)
  }
}
