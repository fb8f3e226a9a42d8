import type { Page } from 'playwright-core'

export const paintedSticker = async (page: Page): Promise<Buffer> =>
  Buffer.from(
    await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 256
      const paint = canvas.getContext('2d')
      if (!paint) throw new Error('no canvas')
      paint.fillStyle = '#e9b44c'
      paint.arc(128, 128, 100, 0, 2 * Math.PI)
      paint.fill()
      paint.fillStyle = '#5b3a1e'
      for (const x of [92, 164]) paint.fillRect(x - 10, 84, 20, 32)
      paint.lineWidth = 14
      paint.beginPath()
      paint.arc(128, 136, 52, 0.2, Math.PI - 0.2)
      paint.stroke()
      return canvas.toDataURL('image/webp').split(',')[1] ?? ''
    }),
    'base64',
  )

export const videoSize = { width: 320, height: 240 }

export const filmedVideo = async (page: Page): Promise<Buffer> =>
  Buffer.from(
    await page.evaluate(async ({ width, height }) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const paint = canvas.getContext('2d')
      if (!paint) throw new Error('no canvas')
      const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/mp4;codecs=avc1.42E01E' })
      const parts: Blob[] = []
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
      recorder.start()
      for (let frame = 0; frame < 6; frame++) {
        paint.fillStyle = '#7a462c'
        paint.fillRect(0, 0, width, height)
        paint.fillStyle = '#f4ce8e'
        paint.fillRect(40 + frame * 20, 80, 90, 60)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      recorder.stop()
      await stopped
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
      return btoa(String.fromCharCode(...bytes))
    }, videoSize),
    'base64',
  )

interface HandedFile {
  name: string
  type: string
  base64: string
}

export const dragOver = async (page: Page, selector: string, file: HandedFile): Promise<{ drop(): Promise<void> }> => {
  const data = await page.evaluateHandle(({ name, type, base64 }) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], name, { type }))
    return transfer
  }, file)
  for (const event of ['dragenter', 'dragover']) await page.dispatchEvent(selector, event, { dataTransfer: data })
  return { drop: () => page.dispatchEvent(selector, 'drop', { dataTransfer: data }) }
}

export const paste = (page: Page, file: HandedFile): Promise<void> =>
  page.evaluate(({ name, type, base64 }) => {
    const clipboardData = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    clipboardData.items.add(new File([bytes], name, { type }))
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, file)

/** The large file repeats one Blob, so that it takes no memory. */
export const dropWithLargeFile = async (
  page: Page,
  selector: string,
  files: { large: { name: string; type: string; megabytes: number }; other: HandedFile },
): Promise<void> => {
  const data = await page.evaluateHandle(({ large, other }) => {
    const megabyte = new Blob([new Uint8Array(1024 * 1024)])
    const transfer = new DataTransfer()
    const parts = new Array<Blob>(large.megabytes).fill(megabyte)
    transfer.items.add(new File(parts, large.name, { type: large.type }))
    const bytes = Uint8Array.from(atob(other.base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], other.name, { type: other.type }))
    return transfer
  }, files)
  await page.dispatchEvent(selector, 'drop', { dataTransfer: data })
}
