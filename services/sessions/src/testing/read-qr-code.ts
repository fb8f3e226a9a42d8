import jsqr from 'jsqr'
import { PNG } from 'pngjs'

export const readQrCode = (dataUrl: string): string => {
  const prefix = 'data:image/png;base64,'
  if (!dataUrl.startsWith(prefix)) throw new Error('this is no data URL of a PNG')
  const { data, width, height } = PNG.sync.read(Buffer.from(dataUrl.slice(prefix.length), 'base64'))
  // The package's types declare `default`; in Node the function itself is the module.
  const decode = jsqr as unknown as (
    pixels: Uint8ClampedArray,
    width: number,
    height: number,
  ) => { data: string } | null
  const code = decode(new Uint8ClampedArray(data), width, height)
  if (!code) throw new Error('there is no readable QR code in the picture')
  return code.data
}
