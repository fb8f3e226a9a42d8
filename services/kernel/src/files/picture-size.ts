export interface PictureSize {
  width: number
  height: number
  /** Within the given bytes; 1 except for GIF. */
  frames: number
  /** Decoder passes within the given bytes; 1 except for JPEG. */
  scans: number
}

/** As decoders read it. `beyond`: needs more bytes; undefined: broken, or no JPEG, PNG, GIF or WebP. */
export type FoundSize = PictureSize | 'beyond' | undefined

type Reader = (bytes: Buffer) => FoundSize

const still = (width: number, height: number): PictureSize => ({ width, height, frames: 1, scans: 1 })

const png: Reader = (bytes) => {
  if (bytes.length < 24) return 'beyond'
  return bytes.toString('latin1', 12, 16) === 'IHDR' ? still(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : undefined
}

/** Each block begins with its length; 0 ends. */
const afterBlocks = (bytes: Buffer, start: number): number => {
  let at = start
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1
  return at + 1
}

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Decoders enlarge the screen for larger frames. */
const gif: Reader = (bytes) => {
  if (bytes.length < 13) return 'beyond'
  let [width, height, frames] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8), 0]
  for (let at = 13 + colourTableBytes(bytes[10] ?? 0); at < bytes.length; ) {
    if (bytes[at] === 0x21) at = afterBlocks(bytes, at + 2)
    else if (bytes[at] === 0x2c && at + 10 <= bytes.length) {
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      frames += 1
      at = afterBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0))
    } else break
  }
  return { width, height, frames: Math.max(1, frames), scans: 1 }
}

const webp: Reader = (bytes) => {
  if (bytes.length < 30) return 'beyond'
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return still(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (chunk === 'VP8 ') return still(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (chunk !== 'VP8L') return undefined
  const bits = bytes.readUInt32LE(21)
  return still((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length. */
const isBare = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9) || marker === 0xff
const startOfScan = 0xda
const endOfImage = 0xd9

/** The largest frame header counts. */
const jpeg: Reader = (bytes) => {
  let size: PictureSize | undefined
  let scans = 0
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1]
    if (marker === undefined) break
    if (marker === endOfImage) return size && { ...size, scans }
    if (isBare(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (at + (isFrameHeader(marker) ? 9 : 4) > bytes.length) break
    if (isFrameHeader(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      size = still(Math.max(width, size?.width ?? 0), Math.max(height, size?.height ?? 0))
    }
    if (marker === startOfScan) scans += 1
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return size ? { ...size, scans } : 'beyond'
}

const readerOf = (bytes: Buffer): Reader | undefined => {
  const startsWith = (hexadecimal: string) => bytes.toString('hex', 0, hexadecimal.length / 2) === hexadecimal
  if (startsWith('ffd8ff')) return jpeg
  if (startsWith('89504e470d0a1a0a')) return png
  if (startsWith('474946383761') || startsWith('474946383961')) return gif
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? webp : undefined
}

export const pictureSize = (bytes: Buffer): FoundSize => readerOf(bytes)?.(bytes)
