import { type PhotoSize, photoSizes } from '@prosa/contracts/values/photo'
import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import { refuse } from '@prosa/kernel/http/problem'

/** A phone's camera makes no more; a picture of 30,000 x 30,000 would take 3.6 GB in memory. */
const maximumPixels = 40_000_000

/** What a file begins with, in hexadecimal. Nothing else is given to the decoder, which knows many more types. */
const beginnings = [/^ffd8ff/, /^89504e470d0a1a0a/, /^47494638(37|39)61/]

const isPhoto = (bytes: Buffer): boolean => {
  const head = bytes.subarray(0, 8).toString('hex')
  return beginnings.some((beginning) => beginning.test(head))
}

/** Decoding takes a second and a hundred megabytes at most, and nobody is in a hurry: one picture at a time in a process. */
const queue = serialQueue()

export type Squares = Record<PhotoSize, Buffer>

const decode = async (bytes: Buffer): Promise<Squares> => {
  // 20 MB of libraries, in the processes only that are asked for it.
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: false, failOn: 'error', pages: 1, sequentialRead: true } as const
  const broken = (cause: unknown) => {
    throw Object.assign(refuse('photo_broken'), { cause })
  }
  const { width = 0, height = 0 } = await sharp(bytes, options).metadata().catch(broken)
  if (width * height > maximumPixels) throw refuse('photo_too_many_pixels')
  const photo = sharp(bytes, { ...options, limitInputPixels: maximumPixels })
    .autoOrient()
    .timeout({ seconds: 20 })
  const encode = async (size: PhotoSize): Promise<[PhotoSize, Buffer]> => {
    const square = photo.clone().resize(size, size, { fit: 'cover', position: 'centre' })
    return [size, await square.webp({ quality: 82 }).toBuffer().catch(broken)]
  }
  return Object.fromEntries(await Promise.all(photoSizes.map(encode))) as Squares
}

/**
 * A picture as WebP squares of every size, out of its middle, the way up that its camera noted; nothing else of the file is left, of
 * an animation the first frame. Refuses what is no JPG, PNG or GIF by its bytes, is broken, or has more than 40 megapixels by its
 * header: then nothing is decoded.
 */
export const squaresOf = (bytes: Buffer): Promise<Squares> => {
  if (!isPhoto(bytes)) throw refuse('photo_type_refused')
  return queue(() => decode(bytes))
}
