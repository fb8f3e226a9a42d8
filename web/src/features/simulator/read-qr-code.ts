import jsQR from 'jsqr'

/** Small codes are not detected without a border, in px. */
const quietPx = 24
const largestPx = 1200

/** Returns the text of the QR code, or null. `source` is an address or a file. */
export const readQrCode = async (source: string | Blob): Promise<string | null> => {
  const address = typeof source === 'string' ? source : URL.createObjectURL(source)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const scale = Math.min(1, largestPx / Math.max(image.naturalWidth, image.naturalHeight))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(image.naturalWidth * scale) + 2 * quietPx
    canvas.height = Math.round(image.naturalHeight * scale) + 2 * quietPx
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) return null
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, quietPx, quietPx, canvas.width - 2 * quietPx, canvas.height - 2 * quietPx)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    return jsQR(data, width, height)?.data ?? null
  } finally {
    if (typeof source !== 'string') URL.revokeObjectURL(address)
  }
}
