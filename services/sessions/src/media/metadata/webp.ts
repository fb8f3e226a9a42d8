import type { ByteReader } from './byte-reader.ts'
import { exifOfOrientation, orientationIn } from './orientation.ts'

const headBytes = 12
const extendedBytes = 10
const hasXmp = 0x04
const maxMetadataBytes = 1 << 20

const shown = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const filler = 'JUNK'

const header = (name: string, length: number) => {
  const bytes = Buffer.alloc(8)
  bytes.write(name, 'latin1')
  bytes.writeUInt32LE(length, 4)
  return bytes
}

/** Keeps the orientation. The head states the length, so removed data becomes zeros; data after it is dropped. */
export async function* webpWithoutMetadata(file: ByteReader): AsyncGenerator<Buffer> {
  const start = await file.take(headBytes)
  yield start
  for (let left = start.readUInt32LE(4) - 4; left >= 8; ) {
    const head = await file.take(8)
    if (head.length < 8) return
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const padded = length + (length % 2)
    left -= 8 + padded
    if (name === 'VP8X' && length >= extendedBytes) {
      const [flags = 0] = await file.take(1)
      yield Buffer.concat([head, Buffer.from([flags & ~hasXmp])])
      yield* file.pass(padded - 1)
    } else if (shown.has(name)) {
      yield head
      yield* file.pass(padded)
    } else if (name === 'EXIF' && length <= maxMetadataBytes && length >= 26) {
      const orientation = orientationIn((await file.take(padded)).subarray(0, length))
      yield Buffer.concat([head, exifOfOrientation(orientation), Buffer.alloc(padded - 26)])
    } else {
      yield header(filler, length)
      for await (const piece of file.pass(padded)) yield Buffer.alloc(piece.length)
    }
  }
}
