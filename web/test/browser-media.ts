import { Blob as NodeBlob, File as NodeFile } from 'node:buffer'
import { vi } from 'vitest'

interface FakeMicrophone {
  /** Error name of the browser's refusal; null allows recording. */
  refuse: string | null
  tracksStopped: number
}

/** `size` in bytes. */
export const someFile = (name: string, type: string, size = 2_000): File =>
  new File([new Uint8Array(size)], name, { type })

/** The media APIs that jsdom lacks. */
export const standInForMedia = (picture = { width: 3200, height: 2400 }) => {
  const drawn: { width: number; height: number }[] = []
  const played: string[] = []
  const microphone: FakeMicrophone = { refuse: null, tracksStopped: 0 }

  // The mock server cannot read jsdom's.
  vi.stubGlobal('Blob', NodeBlob)
  vi.stubGlobal('File', NodeFile)
  let addresses = 0
  URL.createObjectURL = () => {
    addresses += 1
    return `blob:http://127.0.0.1:3000/${addresses}`
  }
  URL.revokeObjectURL = () => undefined
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    if (file.size < 100) throw new DOMException('no picture', 'InvalidStateError')
    return { ...picture, close: () => undefined }
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => undefined,
    drawImage: () => undefined,
  } as unknown as RenderingContext)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done) {
    drawn.push({ width: this.width, height: this.height })
    done(new Blob([new Uint8Array(Math.min(900_000, this.width * this.height))], { type: 'image/jpeg' }))
  })
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    played.push(this.getAttribute('src') ?? '')
    this.dispatchEvent(new Event('play'))
  })
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event('pause'))
  })

  class Recorder extends EventTarget {
    static isTypeSupported = (type: string) => type.startsWith('audio/ogg')
    state: 'inactive' | 'recording' = 'inactive'
    start() {
      this.state = 'recording'
    }
    stop() {
      this.state = 'inactive'
      const data = new Blob([new Uint8Array(4_000)], { type: 'audio/ogg;codecs=opus' })
      this.dispatchEvent(Object.assign(new Event('dataavailable'), { data }))
      this.dispatchEvent(new Event('stop'))
    }
  }
  const track = {
    stop: () => {
      microphone.tracksStopped += 1
    },
  }
  vi.stubGlobal('MediaRecorder', Recorder)
  vi.stubGlobal(
    'AudioContext',
    class {
      createAnalyser = () => ({
        fftSize: 32,
        getFloatTimeDomainData: (samples: Float32Array) => samples.fill(0.2),
      })
      createMediaStreamSource = () => ({ connect: () => undefined })
      close = async () => undefined
    },
  )
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: async () => {
        if (microphone.refuse !== null) throw new DOMException('refused', microphone.refuse)
        return { getTracks: () => [track] }
      },
    },
  })
  return { drawn, played, microphone }
}
