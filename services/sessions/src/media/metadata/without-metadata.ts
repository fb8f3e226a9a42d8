import { ByteReader } from './byte-reader.ts'
import { jpegWithoutMetadata } from './jpeg.ts'
import { pngWithoutMetadata } from './png.ts'
import { webpWithoutMetadata } from './webp.ts'

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

const strippersOf = (head: Buffer) => {
  if (head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return jpegWithoutMetadata
  if (head.subarray(0, 8).equals(pngSignature)) return pngWithoutMetadata
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return webpWithoutMetadata
  return undefined
}

/** Strips JPEG, PNG and WebP while streaming, except the orientation. Other files, also videos and HEIC, are unchanged. Deterministic. */
export async function* withoutMetadata(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const file = new ByteReader(content)
  try {
    const strip = strippersOf(await file.peek(12))
    yield* strip ? strip(file) : file.pass()
    // The uploading client expects that all is read.
    await file.skip(Number.POSITIVE_INFINITY)
  } finally {
    await file.close()
  }
}
