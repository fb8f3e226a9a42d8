import { pictureSize } from './picture-size.ts'

/** More than WhatsApp's own clients send: 4,096 on the longer side. Decoded it takes 64 MB in the tab of whoever looks at the chat. */
const maxPixels = 4096 * 4096
/** A GIF of 35 bytes may claim any size, and all its frames are kept. */
const maxGifPixels = 4_000_000
const maxPreviewSide = 1000

/**
 * Whether browsers may decode a picture where they show a chat, by the bytes that it begins with: a JPEG, PNG, GIF or WebP whose own
 * header says that it is small enough. Its sender's word for its size does not count. What is broken is let pass: nobody decodes it.
 */
export const isShownPicture = (head: Buffer): boolean => {
  const size = pictureSize(head)
  if (size === 'beyond') return false
  const isGif = head.toString('latin1', 0, 3) === 'GIF'
  return size === undefined || size.width * size.height <= (isGif ? maxGifPixels : maxPixels)
}

/** Whether these are the bytes of a preview, which stands in the text of a chat: a JPEG of at most 1,000 pixels a side. */
export const isPreview = (bytes: Buffer): boolean => {
  if (bytes.length < 5 || bytes.toString('hex', 0, 3) !== 'ffd8ff') return false
  const size = pictureSize(bytes)
  return size !== 'beyond' && (size === undefined || Math.max(size.width, size.height) <= maxPreviewSide)
}
