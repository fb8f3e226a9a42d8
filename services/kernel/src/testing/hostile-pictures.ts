import { crc32, deflateSync } from 'node:zlib'

const u16le = (value: number) => [value & 255, value >> 8]

/** 16 bytes a frame. */
export const gif = (
  width: number,
  height: number,
  { frames = 1, frameWidth = width, frameHeight = height } = {},
): Buffer => {
  const frame = [0x2c, 0, 0, 0, 0, ...u16le(frameWidth), ...u16le(frameHeight), 0, 2, 2, 0x4c, 1, 0]
  const screen = [...u16le(width), ...u16le(height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from(screen),
    ...Array.from({ length: frames }, () => Buffer.from(frame)),
    Buffer.from([0x3b]),
  ])
}

export const pngChunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

interface PngShape {
  bitDepth?: 1 | 8 | 16
  colourType?: 0 | 2 | 6
  interlaced?: boolean
  before?: Buffer[]
  lines?: number
}

export const png = (width: number, height: number, shape: PngShape = {}): Buffer => {
  const { bitDepth = 8, colourType = 2, interlaced = false, before = [], lines = height } = shape
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, colourType, 0, 0, interlaced ? 1 : 0], 8)
  const samples = { 0: 1, 2: 3, 6: 4 }[colourType]
  const bytes = (1 + Math.ceil((width * samples * bitDepth) / 8)) * lines
  // Passes have a few more lines.
  const data = deflateSync(Buffer.alloc(interlaced ? Math.ceil(bytes * 1.01) : bytes), { level: 9 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export const packedChunk = (name: 'iCCP' | 'zTXt' | 'iTXt', megabytes: number): Buffer => {
  const packed = deflateSync(Buffer.alloc(megabytes << 20), { level: 9 })
  const head = { iCCP: 'bomb\0\0', zTXt: 'Comment\0\0', iTXt: 'Comment\0\x01\0\0\0' }[name]
  return pngChunk(name, Buffer.concat([Buffer.from(head, 'latin1'), packed]))
}

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

export const withSegments = (jpeg: Buffer, marker: number, datas: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...datas.map((data) => segment(marker, data)), jpeg.subarray(2)])

export const claimingSize = (jpeg: Buffer, width: number, height: number): Buffer => {
  const changed = Buffer.from(jpeg)
  for (let at = 2; at + 9 < changed.length && changed[at] === 0xff; at += 2 + changed.readUInt16BE(at + 2)) {
    const marker = changed[at + 1] ?? 0
    if (marker < 0xc0 || marker > 0xc2) continue
    changed.writeUInt16BE(height, at + 5)
    changed.writeUInt16BE(width, at + 7)
  }
  return changed
}

export const withScans = (jpeg: Buffer, more: number): Buffer => {
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from('ffda', 'hex')), -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: more }, () => last), jpeg.subarray(-2)])
}
