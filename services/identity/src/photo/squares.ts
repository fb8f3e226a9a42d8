import { type PhotoSize, photoSizes } from '@prosa/contracts/values/photo'
import { concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { pictureSize } from '@prosa/kernel/files/picture-size'
import { refuse } from '@prosa/kernel/http/problem'
import { decodePicture, PictureBroken } from './decode-picture.ts'
import { photosBusy } from './photo-places.ts'

/** A decoder holds what is not read line by line (GIF, interlaced PNG, progressive JPEG) whole: up to 128 MB of this size. */
const maxPixels = 16_000_000
/** Every line of a GIF is kept, at 4 bytes a pixel, and 35 bytes may claim any size. */
const maxGifPixels = 4_000_000
/** Each goes through the whole picture, and costs 20 bytes; cameras and editors write a dozen. */
const maxScans = 100

/** What a file begins with, in hexadecimal. Nothing else is given to the decoder, which knows many more types. */
const beginnings = [/^ffd8ff/, /^89504e470d0a1a0a/, /^47494638(37|39)61/]

const isPhoto = (bytes: Buffer): boolean => {
  const head = bytes.subarray(0, 8).toString('hex')
  return beginnings.some((beginning) => beginning.test(head))
}

/** By the header of the file itself, before any decoder sees it. */
const requireSmall = (bytes: Buffer): void => {
  const size = pictureSize(bytes)
  if (size === undefined || size === 'beyond' || size.scans > maxScans) throw refuse('photo_broken')
  const { width, height, frames } = size
  const isGif = bytes.toString('latin1', 0, 3) === 'GIF'
  if (width * height > (isGif ? maxGifPixels : maxPixels) || width * height * frames > maxPixels)
    throw refuse('photo_too_many_pixels')
}

/** Decoding takes a second and a hundred megabytes at most, and nobody is in a hurry: one picture at a time in a process. */
const queue = concurrencyLimit({ atOnce: 1, waiting: { max: 16, ms: 30_000, refusal: photosBusy } })

export type Squares = Record<PhotoSize, Buffer>

const decode = async (bytes: Buffer): Promise<Squares> => {
  const squares = await decodePicture(bytes, maxPixels, photoSizes).catch((cause: unknown) => {
    throw cause instanceof PictureBroken ? Object.assign(refuse('photo_broken'), { cause }) : cause
  })
  return Object.fromEntries(photoSizes.map((size, at) => [size, squares[at]])) as Squares
}

/**
 * A picture as WebP squares of every size, out of its middle, the way up that its camera noted; nothing else of the file is left, of
 * an animation the first frame. Refuses what is no JPG, PNG or GIF by its bytes, is broken, or has more than 16 megapixels by its
 * header, of a GIF 4 in a frame: then nothing is decoded. Refuses with `photos_busy` where too many wait.
 */
export const squaresOf = async (bytes: Buffer): Promise<Squares> => {
  if (!isPhoto(bytes)) throw refuse('photo_type_refused')
  requireSmall(bytes)
  return queue.run(() => decode(bytes))
}
