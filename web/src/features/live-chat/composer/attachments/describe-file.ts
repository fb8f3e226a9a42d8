import type { AttachmentKind } from './attachment-kind.ts'
import { jpegOf, previewOf } from './picture.ts'

export interface FileDescription {
  /** A picture may have been shrunk. */
  file: Blob
  width: number | null
  height: number | null
  seconds: number | null
  /** Tiny JPEG, base64. */
  preview: string | null
}

/** WhatsApp shows no larger pictures, in px. */
const pictureSide = 1600
const timeoutMs = 6_000

export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

const nothingKnown = (file: Blob): FileDescription => ({
  file,
  width: null,
  height: null,
  seconds: null,
  preview: null,
})

const describePicture = async (file: Blob): Promise<FileDescription> => {
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnreadableFile()
  })
  const scale = Math.min(1, pictureSide / Math.max(picture.width, picture.height))
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const smaller = scale < 1 || file.type === 'image/webp' ? await jpegOf(picture, { width, height }, 0.82) : file
  const preview = await previewOf(picture, { width, height })
  picture.close()
  return { file: smaller, width, height, seconds: null, preview }
}

const happens = (element: HTMLMediaElement, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new UnreadableFile())
    const timer = setTimeout(fail, timeoutMs)
    const done = (settle: () => void) => () => {
      clearTimeout(timer)
      settle()
    }
    element.addEventListener(event, done(resolve), { once: true })
    element.addEventListener('error', done(fail), { once: true })
  })

const secondsOf = ({ duration }: HTMLMediaElement): number | null =>
  Number.isFinite(duration) ? Math.round(duration) : null

const describeVideo = async (file: Blob, address: string): Promise<FileDescription> => {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  const loaded = happens(video, 'loadeddata')
  video.src = address
  await loaded
  const size = { width: video.videoWidth, height: video.videoHeight }
  const seen = happens(video, 'seeked')
  video.currentTime = Math.min(1, (secondsOf(video) ?? 0) / 2)
  await seen
  const hasPicture = size.width > 0 && size.height > 0
  return {
    file,
    width: size.width || null,
    height: size.height || null,
    seconds: secondsOf(video),
    preview: hasPicture ? await previewOf(video, size) : null,
  }
}

const describeAudio = async (file: Blob, address: string): Promise<FileDescription> => {
  const audio = document.createElement('audio')
  const loaded = happens(audio, 'loadedmetadata')
  audio.src = address
  await loaded
  return { ...nothingKnown(file), seconds: secondsOf(audio) }
}

/**
 * `address`: object URL. Shrinks large pictures. Throws `UnreadableFile` for pictures only; an unplayable video or audio yields no facts.
 */
export const describeFile = async (file: Blob, kind: AttachmentKind, address: string): Promise<FileDescription> => {
  if (kind === 'image') return describePicture(file)
  if (kind === 'document') return nothingKnown(file)
  const described = kind === 'video' ? describeVideo(file, address) : describeAudio(file, address)
  return described.catch((error: unknown) => {
    if (error instanceof UnreadableFile) return nothingKnown(file)
    throw error
  })
}
