import { crc32 } from 'node:zlib'
import type { ByteReader } from './byte-reader.ts'
import { exifOfOrientation, orientationIn } from './orientation.ts'

const signatureBytes = 8
/** More than a JPEG's Exif block can hold. */
const maxExifBytes = 1 << 20

const shown = new Set('tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '))
/** Critical chunks begin with a capital letter. */
const isCritical = (type: string) => /^[A-Z]/.test(type)

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Keeps the orientation. Data after its end is dropped. */
export async function* pngWithoutMetadata(file: ByteReader): AsyncGenerator<Buffer> {
  yield* file.pass(signatureBytes)
  for (;;) {
    const head = await file.peek(8)
    if (head.length < 8) return
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const whole = 12 + length
    if (type === 'eXIf' && length <= maxExifBytes) {
      const orientation = orientationIn((await file.take(whole)).subarray(8, 8 + length))
      if (orientation !== 1) yield chunk('eXIf', exifOfOrientation(orientation))
    } else if (isCritical(type) || shown.has(type)) yield* file.pass(whole)
    else await file.skip(whole)
    if (type === 'IEND') return
  }
}
