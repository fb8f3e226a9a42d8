import { pipeline, Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { VerifiedKey } from '@prosa/kernel/http/keys'
import { refuse } from '@prosa/kernel/http/problem'
import type { ApiKeys } from '@prosa/product/keys/api-keys'
import type { FastifyReply } from 'fastify'

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

export const send = (
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
export const slotsOfKeys = () => {
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

export type KeySlots = ReturnType<typeof slotsOfKeys>

/** For an answer under way: asks again every five seconds. */
export const keyChecks = (keys: Pick<ApiKeys, 'isValid'>, key: VerifiedKey): (() => Promise<boolean>) => {
  let checkedAt = performance.now()
  return async () => {
    if (performance.now() - checkedAt < keyCheckMs) return true
    checkedAt = performance.now()
    return keys.isValid(key)
  }
}
