import { type PhotoSize, photoSizes } from '@prosa/contracts/values/photo'
import { concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { pictureSize } from '@prosa/kernel/files/picture-size'
import { refuse } from '@prosa/kernel/http/problem'
import { decodePicture, PictureBroken } from './decode-picture.ts'
import { photosBusy } from './photo-slots.ts'

/** GIF, interlaced PNG and progressive JPEG are decoded whole: up to 128 MB at this size. */
const maxPixels = 16_000_000
/** GIFs take 4 bytes a pixel, and 35 bytes may claim any size. */
const maxGifPixels = 4_000_000
/** Each costs a pass but only 20 bytes; real files have a dozen. */
const maxScans = 100

/** The decoder knows many more types. */
const beginnings = [/^ffd8ff/, /^89504e470d0a1a0a/, /^47494638(37|39)61/]

const isPhoto = (bytes: Buffer): boolean => {
  const head = bytes.subarray(0, 8).toString('hex')
  return beginnings.some((beginning) => beginning.test(head))
}

const requireSmall = (bytes: Buffer): void => {
  const size = pictureSize(bytes)
  if (size === undefined || size === 'beyond' || size.scans > maxScans) throw refuse('photo_broken')
  const { width, height, frames } = size
  const isGif = bytes.toString('latin1', 0, 3) === 'GIF'
  if (width * height > (isGif ? maxGifPixels : maxPixels) || width * height * frames > maxPixels)
    throw refuse('photo_too_many_pixels')
}

/** A second and 100 MB each: one at a time. */
const queue = concurrencyLimit({ atOnce: 1, waiting: { max: 16, ms: 30_000, refusal: photosBusy } })

export type Squares = Record<PhotoSize, Buffer>

const decode = async (bytes: Buffer): Promise<Squares> => {
  const squares = await decodePicture(bytes, maxPixels, photoSizes).catch((cause: unknown) => {
    throw cause instanceof PictureBroken ? Object.assign(refuse('photo_broken'), { cause }) : cause
  })
  return Object.fromEntries(photoSizes.map((size, at) => [size, squares[at]])) as Squares
}

/**
 * Centered WebP squares in camera orientation, without metadata; first frame of animations. Refuses other types, broken files and, by
 * header, more than 16 megapixels (GIF frames: 4); `photos_busy` if too many wait.
 */
export const squaresOf = async (bytes: Buffer): Promise<Squares> => {
  if (!isPhoto(bytes)) throw refuse('photo_type_refused')
  requireSmall(bytes)
  return queue.run(() => decode(bytes))
}
