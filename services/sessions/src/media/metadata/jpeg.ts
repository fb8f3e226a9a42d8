import type { ByteReader } from './byte-reader.ts'
import { exifOfOrientation, orientationIn } from './orientation.ts'

const markerByte = 0xff
const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe
const app = (number: number) => 0xe0 + number

/** Decoders need these for colours. */
const needed = new Map([
  [app(0), 'JFIF\0'],
  [app(2), 'ICC_PROFILE\0'],
  [app(14), 'Adobe'],
])
const exifStart = 'Exif\0\0'

const isApplicationData = (marker: number) => marker >= app(0) && marker <= app(15)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
/** These markers do not end a scan. */
const isPartOfScan = (marker: number) => marker === 0 || isRestart(marker)
const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([markerByte, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const retained = (marker: number, data: Buffer): Buffer | undefined => {
  const startsWith = (text: string) => data.toString('latin1', 0, text.length) === text
  const start = needed.get(marker)
  if (start !== undefined && startsWith(start)) return segment(marker, data)
  if (marker !== app(1) || !startsWith(exifStart)) return undefined
  const orientation = orientationIn(data)
  if (orientation === 1) return undefined
  return segment(marker, Buffer.concat([Buffer.from(exifStart, 'latin1'), exifOfOrientation(orientation)]))
}

/** Keeps the orientation. Data after its end is dropped: phones hide more pictures, videos and positions there. */
export async function* jpegWithoutMetadata(file: ByteReader): AsyncGenerator<Buffer> {
  let isInScan = false
  for (;;) {
    const between = file.passUntil(markerByte, (next) => isInScan && isPartOfScan(next))
    if (isInScan) yield* between
    else for await (const _ of between);
    const [, marker] = await file.peek(2)
    if (marker === undefined) return
    if (marker === markerByte) {
      // Padding before a marker.
      await file.skip(1)
      continue
    }
    if (marker === endOfImage) return yield* file.pass(2)
    if (marker === startOfImage) {
      yield* file.pass(2)
      continue
    }
    if (marker === 0 || isRestart(marker)) {
      await file.skip(2)
      continue
    }
    const head = await file.peek(4)
    if (head.length < 4) return
    const length = Math.max(2, head.readUInt16BE(2))
    isInScan = marker === startOfScan
    if (isApplicationData(marker)) {
      const stays = retained(marker, (await file.take(2 + length)).subarray(4))
      if (stays) yield stays
    } else if (marker === comment) await file.skip(2 + length)
    else yield* file.pass(2 + length)
  }
}
