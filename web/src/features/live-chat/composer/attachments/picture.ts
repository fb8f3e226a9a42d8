interface Size {
  width: number
  height: number
}

const jpeg = 'image/jpeg'
/** The contract's limit is 12 kB. */
const maximumPreviewBytes = 12_000
const previewSides = [72, 48, 24]

const drawn = (picture: CanvasImageSource, { width, height }: Size): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser has no canvas')
  // JPEG has no transparency.
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(picture, 0, 0, width, height)
  return canvas
}

/** `size` in px; `quality` 0 to 1. */
export const jpegOf = async (picture: CanvasImageSource, size: Size, quality: number): Promise<Blob> => {
  const canvas = drawn(picture, size)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, jpeg, quality))
  if (!blob) throw new Error('the picture could not be written')
  return blob
}

const base64Of = async (blob: Blob): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))

/** Base64 JPEG of at most 12 kB; null when even the smallest is larger. */
export const previewOf = async (picture: CanvasImageSource, { width, height }: Size): Promise<string | null> => {
  for (const side of previewSides) {
    const scale = Math.min(1, side / Math.max(width, height))
    const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
    const tiny = await jpegOf(picture, size, 0.6)
    if (tiny.size <= maximumPreviewBytes) return base64Of(tiny)
  }
  return null
}
