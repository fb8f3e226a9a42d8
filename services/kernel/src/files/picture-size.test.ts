import { describe, expect, it } from 'vitest'
import { pictureSize } from './picture-size.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const sized = (width: number, height: number, frames = 1, scans = 1) => ({ width, height, frames, scans })

const png = hex('89504e47 0d0a1a0a 0000000d 49484452 00007530 00000001 08020000 00')
const gifStart = hex('474946383961 0a00 1400 80 00 00 000000ffffff')
const frame = (left: string, width: string) => hex(`2c ${left} 0000 ${width} 0500 00 02 02 4c01 00`)
const startOfFrame = hex('ffc2 000b 08 0fa0 1388 01 011100')
const scan = hex('ffda 0008 01 0100 003f00 aaff00bbffd1cc')
const application = (bytes: number) =>
  Buffer.concat([hex('ffe1'), hex((bytes + 2).toString(16).padStart(4, '0')), Buffer.alloc(bytes)])
const webp = (chunk: string, data: string) =>
  Buffer.concat([Buffer.from('RIFF----WEBP'), Buffer.from(chunk), hex(data), Buffer.alloc(20)])

describe('the size of a picture', () => {
  it.each([
    ['a PNG', png, sized(30_000, 1)],
    ['a GIF', Buffer.concat([gifStart, frame('0000', '0a00'), hex('3b')]), sized(10, 20)],
    [
      'a GIF with a comment and three frames, one of which is wider than its screen',
      Buffer.concat([
        gifStart,
        hex('21fe 03616161 00'),
        frame('0000', '0a00'),
        frame('0100', '9c18'),
        frame('0000', '0100'),
        hex('3b'),
      ]),
      sized(6301, 20, 3),
    ],
    ['a GIF that ends in a frame', Buffer.concat([gifStart, frame('0000', '0a00').subarray(0, 12)]), sized(10, 20)],
    [
      'a JPEG behind metadata in which another picture is',
      Buffer.concat([
        hex('ffd8'),
        application(300),
        hex('ffe2 000a'),
        startOfFrame.subarray(0, 8),
        startOfFrame,
        scan,
        scan,
        hex('ffd9'),
      ]),
      sized(5000, 4000, 1, 2),
    ],
    [
      'a JPEG with gaps and two sizes',
      Buffer.concat([hex('ffd8ffff'), startOfFrame, hex('ffc0 0011 08 ffff 0001'), Buffer.alloc(10), scan]),
      sized(5000, 65_535),
    ],
    ['a WebP', webp('VP8 ', '00000000 000000 9d012a 0040 0110'), sized(0, 4097)],
    ['a WebP without loss', webp('VP8L', '00000000 2f ffff ff0f'), sized(16_384, 16_384)],
    ['a WebP with more in it', webp('VP8X', '0a000000 00000000 0f0000 ffff00'), sized(16, 65_536)],
  ])('is known of %s', (_, bytes, size) => expect(pictureSize(bytes)).toEqual(size))

  it('comes behind what is there', () => {
    for (const bytes of [png.subarray(0, 20), gifStart.subarray(0, 9), webp('VP8 ', '00').subarray(0, 20)])
      expect(pictureSize(bytes)).toBe('beyond')
    expect(pictureSize(Buffer.concat([hex('ffd8'), application(300)]))).toBe('beyond')
    expect(pictureSize(Buffer.concat([hex('ffd8'), application(300).subarray(0, 200)]))).toBe('beyond')
  })

  it('is not known of what is none', () => {
    for (const text of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'BM',
      'II*\0',
      'RIFF----WAVE',
    ])
      expect(pictureSize(Buffer.from(text))).toBeUndefined()
    expect(pictureSize(hex('ffd8 ffe0 0004 0000 ffd9'))).toBeUndefined()
    expect(pictureSize(hex(`89504e470d0a1a0a ${'00'.repeat(30)}`))).toBeUndefined()
  })
})
