import { atom } from 'jotai'
import { pageStore } from '../../../lib/browser/page-store.ts'

/** [hertz, seconds after the start]. */
const notes = [
  [587.33, 0],
  [783.99, 0.11],
] as const
const noteSeconds = 0.32
const loudness = 0.07
/** One tone per burst of messages. */
const pauseMs = 2500
/** A tone that the browser delays for longer is dropped. */
const lateMs = 1000

const createAlertTone = () => {
  let context: AudioContext | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  let sounding = 0

  /** A running AudioContext occupies the sound device and CPU: it is suspended between tones. */
  const sound = async (device: AudioContext): Promise<void> => {
    const askedMs = performance.now()
    sounding++
    try {
      if (device.state === 'suspended') await device.resume()
      if (performance.now() - askedMs < lateMs) await Promise.all(notes.map((note) => play(device, note)))
    } finally {
      sounding--
      if (sounding === 0) await device.suspend()
    }
  }

  return (): void => {
    const nowMs = performance.now()
    if (nowMs - lastMs < pauseMs || typeof AudioContext === 'undefined') return
    lastMs = nowMs
    context ??= new AudioContext()
    sound(context).catch((error) => console.warn('O navegador não toca avisos.', error))
  }
}

/** One for all screens and users of the page. */
const alertToneAtom = atom(createAlertTone)

/** Silent before the first click or key. Not awaitable: without the browser's permission it may never resolve. */
export const playAlertTone = (): void => pageStore.get(alertToneAtom)()

const play = (device: AudioContext, [hertz, after]: (typeof notes)[number]): Promise<void> => {
  const start = device.currentTime + after
  const voice = device.createOscillator()
  const volume = device.createGain()
  voice.type = 'sine'
  voice.frequency.value = hertz
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(loudness, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + noteSeconds)
  voice.connect(volume).connect(device.destination)
  voice.start(start)
  voice.stop(start + noteSeconds)
  return new Promise((resolve) => voice.addEventListener('ended', () => resolve(), { once: true }))
}
