import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { uploadFile } from './upload.ts'

class SilentLine {
  static last: SilentLine | undefined
  upload: Partial<Pick<XMLHttpRequest, 'onprogress'>> = {}
  onabort: (() => void) | undefined
  onloadend: (() => void) | undefined
  constructor() {
    SilentLine.last = this
  }
  open = () => undefined
  setRequestHeader = () => undefined
  send = () => undefined
  abort() {
    this.onabort?.()
    this.onloadend?.()
  }
  takes(loaded: number) {
    const progress = { loaded, total: 10, lengthComputable: true } as ProgressEvent
    this.upload.onprogress?.call({} as XMLHttpRequest, progress)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', SilentLine)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const upload = () => {
  const settled = vi.fn()
  const shares: number[] = []
  const { signal } = new AbortController()
  uploadFile(new Blob(['x']), { onProgress: (share) => shares.push(share), signal }).then(settled, settled)
  return { settled, shares }
}

it('gives up a file that gets no further, as if there were no connection', async () => {
  const { settled, shares } = upload()
  await vi.advanceTimersByTimeAsync(29_000)
  SilentLine.last?.takes(5)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(shares).toEqual([0.5])
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(settled.mock.lastCall?.[0]).toMatchObject({ type: 'offline' })
  expect(vi.getTimerCount()).toBe(0)
})
