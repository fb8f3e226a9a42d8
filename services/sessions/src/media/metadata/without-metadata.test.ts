import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { exifOfOrientation, orientationIn } from './orientation.ts'
import { withoutMetadata } from './without-metadata.ts'

const secret = 'GPS -23.55 -46.63'
const latin = (text: string) => Buffer.from(text, 'latin1')
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

async function* inPieces(file: Buffer, size: number) {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}
const stripped = async (file: Buffer): Promise<Buffer> => {
  const whole = await buffer(withoutMetadata(inPieces(file, file.length)))
  for (const size of [1, 7]) expect(await buffer(withoutMetadata(inPieces(file, size)))).toEqual(whole)
  return whole
}

const exif = (orientation: number, order: 'II' | 'MM' = 'II') => {
  const isLittle = order === 'II'
  const bytes = (value: number, size: 2 | 4) => {
    const field = Buffer.alloc(size)
    if (isLittle) field.writeUIntLE(value, 0, size)
    else field.writeUIntBE(value, 0, size)
    return field
  }
  const entry = (tag: number, type: number, value: Buffer) =>
    Buffer.concat([bytes(tag, 2), bytes(type, 2), bytes(1, 4), value, Buffer.alloc(4 - value.length)])
  const entries = [
    entry(0x010f, 2, latin('abc')),
    entry(0x0112, 3, bytes(orientation, 2)),
    entry(0x8825, 4, bytes(50, 4)),
  ]
  return Buffer.concat([latin(order), bytes(42, 2), bytes(8, 4), bytes(3, 2), ...entries, bytes(0, 4), latin(secret)])
}

const segment = (marker: number, ...data: Buffer[]) => {
  const body = Buffer.concat(data)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
const jfif = segment(0xe0, latin('JFIF\0'), hex('0102 00 0001 0001 00 00'))
const profile = segment(0xe2, latin('ICC_PROFILE\0'), hex('0101'), latin('colours'))
const adobe = segment(0xee, latin('Adobe'), hex('0064 0000 0000 01'))
const exifSegment = (...about: Parameters<typeof exif>) => segment(0xe1, latin('Exif\0\0'), exif(...about))
const image = Buffer.concat([
  segment(0xdb, Buffer.alloc(65, 1)),
  segment(0xda, hex('0101 0000 3f00')),
  hex('12ff00 34ffd0 56ff00 78'),
  segment(0xc4, Buffer.alloc(20, 2)),
  segment(0xda, hex('0101 0000 3f00')),
  hex('9aff00bc'),
])
const jpeg = (...before: Buffer[]) => Buffer.concat([hex('ffd8'), ...before, image, hex('ffd9')])

describe('a JPEG', () => {
  it('keeps its picture and how its colours are read, and nothing that reveals how it was taken', async () => {
    const revealing = [
      exifSegment(1),
      segment(0xe1, latin(`http://ns.adobe.com/xap/1.0/\0<x>${secret}</x>`)),
      segment(0xe2, latin('MPF\0'), latin(secret)),
      segment(0xed, latin('Photoshop 3.0\0'), latin(secret)),
      segment(0xe5, latin(secret)),
      segment(0xfe, latin(secret)),
    ]
    const [first = jfif, ...others] = revealing
    const file = jpeg(jfif, first, profile, ...others, adobe)
    expect(await stripped(file)).toEqual(jpeg(jfif, profile, adobe))
    const plain = jpeg(jfif, profile, adobe)
    expect(await stripped(plain)).toEqual(plain)
  })

  it.each(['II', 'MM'] as const)('is turned as before, whatever the order of bytes was (%s)', async (order) => {
    const turned = await stripped(jpeg(jfif, exifSegment(6, order)))
    expect(turned).toEqual(jpeg(jfif, segment(0xe1, latin('Exif\0\0'), exifOfOrientation(6))))
    expect(orientationIn(exifOfOrientation(6))).toBe(6)
    expect(turned.includes(secret)).toBe(false)
  })

  it('ends where it ends: further pictures and films behind it go', async () => {
    const film = jpeg(exifSegment(1))
    expect(await stripped(Buffer.concat([jpeg(jfif), film, latin(secret)]))).toEqual(jpeg(jfif))
  })

  it('loses what stands between its scans, and between its segments', async () => {
    const parts = [hex('ffd8'), jfif, latin(secret), hex('ffff'), image, segment(0xe1, latin(secret)), hex('ffd9')]
    expect(await stripped(Buffer.concat(parts))).toEqual(jpeg(jfif))
  })

  it.each([2, 30, 100, 140])('that breaks off stays one that breaks off (%i bytes)', async (bytes) => {
    const whole = jpeg(jfif, exifSegment(1), adobe)
    const left = await stripped(whole.subarray(0, bytes))
    expect(jpeg(jfif, adobe).subarray(0, left.length)).toEqual(left)
  })
})

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([latin(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const png = (...chunks: Buffer[]) => Buffer.concat([hex('89504e470d0a1a0a'), ...chunks])
const [start, data, end] = [chunk('IHDR', Buffer.alloc(13)), chunk('IDAT', latin('dots')), chunk('IEND', latin(''))]

describe('a PNG', () => {
  it('keeps what is shown, and no texts, times, unknown chunks or what is behind its end', async () => {
    const shown = [chunk('gAMA', Buffer.alloc(4)), chunk('acTL', Buffer.alloc(8))]
    const revealing = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt'].map((type) => chunk(type, latin(secret)))
    const file = png(start, ...shown, ...revealing, chunk('eXIf', exif(1)), data, chunk('fdAT', latin('more')), end)
    expect(await stripped(Buffer.concat([file, latin(secret)]))).toEqual(
      png(start, ...shown, data, chunk('fdAT', latin('more')), end),
    )
  })

  it('is turned as before', async () => {
    const turned = await stripped(png(start, chunk('eXIf', exif(8, 'MM')), data, end))
    expect(turned).toEqual(png(start, chunk('eXIf', exifOfOrientation(8)), data, end))
  })
})

const riffChunk = (name: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([latin(name), length, data, Buffer.alloc(data.length % 2)])
}
const webp = (...chunks: Buffer[]) => {
  const body = Buffer.concat([latin('WEBP'), ...chunks])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([latin('RIFF'), length, body])
}

describe('a WebP', () => {
  it('keeps its length and its picture; position and texts are zeros, and it is turned as before', async () => {
    const picture = riffChunk('VP8L', latin('odd'))
    const extended = (flags: number) => riffChunk('VP8X', Buffer.concat([Buffer.from([flags]), Buffer.alloc(9)]))
    const [place, xmp] = [exif(3), latin(`<x>${secret}</x>`)]
    const file = webp(extended(0x0c), picture, riffChunk('EXIF', place), riffChunk('XMP ', xmp), riffChunk('prVt', xmp))
    const revealing = Buffer.concat([exifOfOrientation(3), Buffer.alloc(place.length - 26)])
    const nothing = riffChunk('JUNK', Buffer.alloc(xmp.length))
    expect(await stripped(Buffer.concat([file, latin(secret)]))).toEqual(
      webp(extended(0x08), picture, riffChunk('EXIF', revealing), nothing, nothing),
    )
  })
})

it('any other file is as it was', async () => {
  for (const file of [latin(''), latin('%PDF-1.7'), latin(`GIF89a${secret}`), hex('ffd8'), latin('RIFF....WAVEfmt ')])
    expect(await stripped(file)).toEqual(file)
})
