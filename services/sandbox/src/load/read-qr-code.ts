import jsqr from 'jsqr'
import { PNG } from 'pngjs'

type Decode = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null

export function readQrCode(dataUrl: string): string {
  const [, base64] = dataUrl.split(';base64,')
  if (base64 === undefined) throw new Error('this is no data URL')
  const { data, width, height } = PNG.sync.read(Buffer.from(base64, 'base64'))
  // The package's types declare `default`; in Node the function itself is the module.
  const found = (jsqr as unknown as Decode)(new Uint8ClampedArray(data), width, height)
  if (!found) throw new Error('there is no readable QR code in the picture')
  return found.data
}
