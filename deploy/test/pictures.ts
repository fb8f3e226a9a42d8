import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { examplePicture } from '@prosa/sandbox/demo/example-picture'

const drawn = examplePicture(0)
const endBytes = 12

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const palette = (colours: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from('sPLTcaption\0\b', 'latin1'), colours])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of some kilobytes, unique per caption by its suggested palette, which is kept when it is sent. */
export const pictureOf = (caption: string): Buffer => {
  const colours = createHash('sha256').update(caption).digest().subarray(0, 30)
  return Buffer.concat([drawn.subarray(0, -endBytes), palette(colours), drawn.subarray(-endBytes)])
}
