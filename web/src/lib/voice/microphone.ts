import { loudnessOf } from './loudness.ts'

export type MicrophoneRefusal = 'denied' | 'missing' | 'busy' | 'unsupported'

export class MicrophoneRefused extends Error {
  readonly refusal: MicrophoneRefusal

  constructor(refusal: MicrophoneRefusal) {
    super(refusal)
    this.name = 'MicrophoneRefused'
    this.refusal = refusal
  }
}

export const refusalSentence: Record<MicrophoneRefusal, string> = {
  denied:
    'O navegador não deixou usar o microfone. Permita o microfone para este endereço, ao lado da barra de endereço.',
  missing: 'Nenhum microfone foi encontrado. Ligue um e tente de novo.',
  busy: 'O microfone está em uso por outro programa. Feche-o e tente de novo.',
  unsupported: 'Este navegador não grava voz. Abra o Prosa por https em uma versão atual do Chrome, Firefox ou Safari.',
}

const refusalOf = (error: unknown): MicrophoneRefusal => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}

/** WhatsApp needs the first; the second only needs another container. */
const formats = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']

const measureMs = 80

export interface Recording {
  /** `levels` over time, 0 to 1. */
  finish: () => Promise<{ sound: Blob; levels: number[] }>
  cancel: () => void
}

/** `onLevel` receives 0 to 1 several times a second. Throws `MicrophoneRefused`. */
export const startRecording = async (onLevel: (level: number) => void): Promise<Recording> => {
  const format =
    typeof MediaRecorder === 'undefined' ? undefined : formats.find((one) => MediaRecorder.isTypeSupported(one))
  if (!format || !navigator.mediaDevices) throw new MicrophoneRefused('unsupported')
  const stream = await navigator.mediaDevices
    .getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } })
    .catch((error: unknown) => {
      throw new MicrophoneRefused(refusalOf(error))
    })

  const parts: Blob[] = []
  const recorder = new MediaRecorder(stream, { mimeType: format, audioBitsPerSecond: 32_000 })
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const stopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }))

  const levels: number[] = []
  const sound = new AudioContext()
  const meter = sound.createAnalyser()
  sound.createMediaStreamSource(stream).connect(meter)
  const samples = new Float32Array(meter.fftSize)
  const measuring = setInterval(() => {
    meter.getFloatTimeDomainData(samples)
    const level = loudnessOf(samples)
    levels.push(level)
    onLevel(level)
  }, measureMs)

  const letGo = () => {
    clearInterval(measuring)
    for (const track of stream.getTracks()) track.stop()
    void sound.close()
  }
  recorder.start(1_000)
  return {
    finish: async () => {
      if (recorder.state !== 'inactive') recorder.stop()
      await stopped
      letGo()
      return { sound: new Blob(parts, { type: format }), levels }
    },
    cancel: () => {
      if (recorder.state !== 'inactive') recorder.stop()
      letGo()
    },
  }
}
