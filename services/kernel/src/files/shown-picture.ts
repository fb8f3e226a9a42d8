import { pictureSize } from './picture-size.ts'

/** WhatsApp's clients send at most 4,096 a side; decoded it takes 64 MB in a browser. */
const maxPixels = 4096 * 4096
/** A GIF of 35 bytes may claim any size, and all frames stay in memory. */
const maxGifPixels = 4_000_000
const maxPreviewSide = 1000

/** Reads the file's own header; the sender's claim does not count. Broken pictures pass: nothing decodes them. */
export const isShownPicture = (head: Buffer): boolean => {
  const size = pictureSize(head)
  if (size === 'beyond') return false
  const isGif = head.toString('latin1', 0, 3) === 'GIF'
  return size === undefined || size.width * size.height <= (isGif ? maxGifPixels : maxPixels)
}

export const isPreview = (bytes: Buffer): boolean => {
  if (bytes.length < 5 || bytes.toString('hex', 0, 3) !== 'ffd8ff') return false
  const size = pictureSize(bytes)
  return size !== 'beyond' && (size === undefined || Math.max(size.width, size.height) <= maxPreviewSide)
}
